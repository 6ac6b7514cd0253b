import { findContactCards, findLeadCards } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import { exitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { isLiveEnrollment } from '../cadence-records/enrollment-states.rules.ts'
import { type ExitReason, listCadenceIds, lockEnrollments } from '../cadence-records/enrollments.queries.ts'
import { type MergedEnrollment, planEnrollmentMerge, toMergeOrigin } from './merge-enrollments.rules.ts'
import {
  listEnrollmentIds,
  listLiveAddresses,
  listLiveEnrollmentIds,
  listMergedEnrollments,
  moveEnrollments,
  type PersonIdLists,
  updateEmailKeys,
} from './person-changes.queries.ts'

/** One cheap statement for persons without a live enrollment. */
export async function exitPersons(tx: TenantTx, persons: PersonIdLists, reason: ExitReason, now: Date): Promise<void> {
  const ids = await listLiveEnrollmentIds(tx, persons)
  if (ids.length) await exitEnrollments(tx, ids, reason, now)
}

/** Locks cadences and enrollments, and reads the enrollments as they are now. */
export async function lockMergedEnrollments(tx: TenantTx, ids: readonly string[]): Promise<MergedEnrollment[]> {
  await lockCadencesShared(tx, await listCadenceIds(tx, ids))
  await lockEnrollments(tx, ids)
  return await listMergedEnrollments(tx, ids)
}

type Merge = { kind: 'lead' | 'contact'; survivorId: string; mergedIds: readonly string[]; now: Date }

export async function mergeEnrollments(tx: TenantTx, { kind, survivorId, mergedIds, now }: Merge): Promise<void> {
  const idsOf = (ids: readonly string[]): PersonIdLists =>
    kind === 'lead' ? { leadIds: ids, contactIds: [] } : { leadIds: [], contactIds: ids }
  if (!(await listEnrollmentIds(tx, idsOf(mergedIds))).length) return
  const enrollments = await lockMergedEnrollments(tx, await listEnrollmentIds(tx, idsOf([survivorId, ...mergedIds])))
  const { emailKey, exitReason } = await readSurvivor(tx, kind, survivorId)
  const known = new Set(enrollments.map(({ id }) => id))
  const ofAddress = emailKey === null ? [] : await listLiveAddresses(tx, [emailKey])
  const cadencesOfAddress = new Set(ofAddress.filter(({ id }) => !known.has(id)).map(({ cadence_id }) => cadence_id))
  const { exits, moved } = planEnrollmentMerge(enrollments, { id: survivorId, exitReason, cadencesOfAddress })
  for (const { reason, ids } of exits) await exitEnrollments(tx, ids, reason, now)
  const exited = new Set(exits.flatMap(({ ids }) => ids))
  await moveEnrollments(
    tx,
    moved.map((one) => ({
      id: one.id,
      lead_id: kind === 'lead' ? survivorId : null,
      contact_id: kind === 'contact' ? survivorId : null,
      person_email_key: isLiveEnrollment(one) && !exited.has(one.id) ? emailKey : one.person_email_key,
      merge_origins: kind === 'lead' ? [...one.merge_origins, toMergeOrigin(one, exited)] : [],
    })),
  )
}

type Survivor = { emailKey: string | null; exitReason: ExitReason | null }

async function readSurvivor(tx: TenantTx, kind: Merge['kind'], id: string): Promise<Survivor> {
  if (kind === 'contact')
    return { emailKey: toKey((await findContactCards(tx, [id])).get(id)?.email), exitReason: null }
  const lead = (await findLeadCards(tx, [id])).get(id)
  return { emailKey: toKey(lead?.email), exitReason: exitReasonOf(lead?.status) }
}

const toKey = (email: string | null | undefined): string | null => email?.toLowerCase() ?? null

function exitReasonOf(status: string | undefined): ExitReason | null {
  if (status === 'converted') return 'converted'
  return status === 'unqualified' ? 'disqualified' : null
}

/** Writes the new email addresses of persons into their live enrollments. One person per address and cadence stays. */
export async function updateAddresses(
  tx: TenantTx,
  kind: 'lead' | 'contact',
  ids: readonly string[],
  now: Date,
): Promise<void> {
  const persons = kind === 'lead' ? { leadIds: ids, contactIds: [] } : { leadIds: [], contactIds: ids }
  const liveIds = await listLiveEnrollmentIds(tx, persons)
  if (!liveIds.length) return
  const live = (await lockMergedEnrollments(tx, liveIds)).filter(isLiveEnrollment)
  const cards = kind === 'lead' ? await findLeadCards(tx, ids) : await findContactCards(tx, ids)
  const keyOf = ({ lead_id, contact_id }: MergedEnrollment) => toKey(cards.get((lead_id ?? contact_id)!)?.email)
  const changed = live.filter((one) => keyOf(one) !== one.person_email_key)
  const others = await listLiveAddresses(
    tx,
    changed.flatMap((one) => keyOf(one) ?? []),
  )
  const taken = new Set(others.map(({ cadence_id, person_email_key }) => `${cadence_id} ${person_email_key}`))
  const exits: string[] = []
  const changes: { id: string; person_email_key: string | null }[] = []
  for (const one of changed) {
    const key = keyOf(one)
    const place = `${one.cadence_id} ${key}`
    if (key !== null && taken.has(place)) exits.push(one.id)
    else changes.push({ id: one.id, person_email_key: key })
    if (key !== null) taken.add(place)
  }
  await exitEnrollments(tx, exits, 'merged', now)
  await updateEmailKeys(tx, changes)
}
