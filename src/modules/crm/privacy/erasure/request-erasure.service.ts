import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { type StartedTask, startTask, toStartedTask } from '#platform/tasks'
import { hashSubjects } from '../../people/consent/find-consent.service.ts'
import { findContactIncludingDeleted } from '../../people/contacts/contacts.queries.ts'
import { findLeadIncludingDeleted } from '../../people/lead-records/leads.queries.ts'
import { erasePersonTask } from './erase-person.jobs.ts'
import type { ErasureConfirmation } from './erasure.schemas.ts'
import {
  type ErasureRequestRow,
  insertErasureRequest,
  listErasuresCompletedSince,
  lockOpenErasureRequest,
  updateErasureRequestRow,
} from './erasure-requests.queries.ts'

type ErasureServices = Pick<Services, 'clock' | 'secrets'>
export type PersonRecord = { type: 'lead' | 'contact'; id: string; email_key: string | null }

export async function getPersonRecord(tx: TenantTx, type: PersonRecord['type'], id: string): Promise<PersonRecord> {
  const record = await (type === 'lead' ? findLeadIncludingDeleted(tx, id) : findContactIncludingDeleted(tx, id))
  if (!record) throw notFound(type)
  return { type, id, email_key: record.email_key }
}

export async function eraseLead(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  confirmation: ErasureConfirmation,
  services: ErasureServices,
): Promise<StartedTask> {
  return await requestErasure(tx, actor, await getPersonRecord(tx, 'lead', id), confirmation, services)
}

export async function eraseContact(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  confirmation: ErasureConfirmation,
  services: ErasureServices,
): Promise<StartedTask> {
  return await requestErasure(tx, actor, await getPersonRecord(tx, 'contact', id), confirmation, services)
}

async function requestErasure(
  tx: TenantTx,
  { userId }: { userId: string | null },
  { type, id: recordId, email_key }: PersonRecord,
  { keep_suppression }: Pick<ErasureConfirmation, 'keep_suppression'>,
  services: ErasureServices,
): Promise<StartedTask> {
  const record = { type, id: recordId, email_key }
  const request = await newErasureRequest(tx, record, { keep_suppression, requested_by: userId }, services)
  const { subject_hash } = request
  let open = await lockOpenErasureRequest(tx, subject_hash, recordId)
  if (!open && !(await insertErasureRequest(tx, request)))
    open = await lockOpenErasureRequest(tx, subject_hash, recordId)
  if (open && isRunning(open)) return toStartedTask(open.task_id)

  const id = open?.id ?? request.id
  const task = await startTask(tx, erasePersonTask, { request_id: id }, { title: 'Erase a person' })
  const restarted = { state: 'queued', finished_at: null, keep_suppression, requested_by: userId }
  await updateErasureRequestRow(tx, id, { ...restarted, task_id: task.task_id })
  await recordAudit(tx, 'person.erasure_requested', {
    id,
    after: { record_type: type, record_id: recordId, keep_suppression },
  })
  return task
}

export async function newErasureRequest(
  tx: TenantTx,
  { type, id, email_key }: PersonRecord,
  options: { keep_suppression: boolean; requested_by: string | null },
  services: Pick<Services, 'clock' | 'secrets'>,
) {
  const subject = email_key ?? `${type}:${id}`
  const subject_hash = (await hashSubjects(tx, services, [subject])).get(subject)!
  return {
    id: newId(),
    subject_hash,
    record_type: type,
    record_id: id,
    ...options,
    created_at: services.clock.now(),
  }
}

const isRunning = (request: ErasureRequestRow): request is ErasureRequestRow & { task_id: string } =>
  request.state !== 'failed' && request.task_id !== null

/** Erases people again whose records have come back from a backup that is older than their erasure. Returns their number. */
export async function repeatErasures(tx: TenantTx, since: Date, services: ErasureServices): Promise<number> {
  let repeated = 0
  for (const { record_type, record_id, keep_suppression } of await listErasuresCompletedSince(tx, since)) {
    const find = record_type === 'lead' ? findLeadIncludingDeleted : findContactIncludingDeleted
    const record = await find(tx, record_id)
    if (!record) continue
    const type = record_type === 'lead' ? 'lead' : 'contact'
    const person = { type, id: record_id, email_key: record.email_key } as const
    await requestErasure(tx, actorOf(tx), person, { keep_suppression }, services)
    repeated++
  }
  return repeated
}
