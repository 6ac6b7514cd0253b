import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { type StartedTask, startTask, toStartedTask } from '#platform/tasks'
import { hashSubjects } from '../consent/subject-hashes.service.ts'
import { findContactIncludingDeleted } from '../contacts/contacts.queries.ts'
import { findLeadIncludingDeleted } from '../lead-records/leads.queries.ts'
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
type PersonRecord = { type: 'lead' | 'contact'; id: string; email_key: string | null }

export async function eraseLead(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  confirmation: ErasureConfirmation,
  services: ErasureServices,
): Promise<StartedTask> {
  const lead = await findLeadIncludingDeleted(tx, id)
  if (!lead) throw notFound('lead')
  return await requestErasure(tx, actor, { type: 'lead', id, email_key: lead.email_key }, confirmation, services)
}

export async function eraseContact(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  confirmation: ErasureConfirmation,
  services: ErasureServices,
): Promise<StartedTask> {
  const contact = await findContactIncludingDeleted(tx, id)
  if (!contact) throw notFound('contact')
  return await requestErasure(tx, actor, { type: 'contact', id, email_key: contact.email_key }, confirmation, services)
}

async function requestErasure(
  tx: TenantTx,
  { userId }: { userId: string | null },
  { type, id: recordId, email_key }: PersonRecord,
  { keep_suppression }: Pick<ErasureConfirmation, 'keep_suppression'>,
  services: ErasureServices,
): Promise<StartedTask> {
  const subject = email_key ?? `${type}:${recordId}`
  const subject_hash = (await hashSubjects(tx, services, [subject])).get(subject)!
  const request = {
    id: newId(),
    subject_hash,
    record_type: type,
    record_id: recordId,
    keep_suppression,
    requested_by: userId,
    created_at: services.clock.now(),
  }
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
