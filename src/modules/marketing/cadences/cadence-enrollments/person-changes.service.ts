import { findContactCards, findLeadCards } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import { exitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { isLiveEnrollment } from '../cadence-records/enrollment-states.rules.ts'
import {
  type EnrollmentRow,
  type ExitReason,
  listCadenceIds,
  listEnrollments,
  lockEnrollments,
} from '../cadence-records/enrollments.queries.ts'
import { lockPersonsToEnroll } from './enrollments.queries.ts'
import {
  type EnrollmentMove,
  listEnrollmentIds,
  listLiveAddresses,
  listLiveEnrollmentIds,
  listMergedEnrollments,
  moveEnrollments,
  type PersonIdLists,
  type PersonKind,
  toPersonLists,
  updateEmailKeys,
} from './person-changes.queries.ts'

/** One cheap statement for persons without a live enrollment. */
export async function exitPersons(tx: TenantTx, persons: PersonIdLists, reason: ExitReason, now: Date): Promise<void> {
  const ids = await listLiveEnrollmentIds(tx, persons)
  if (ids.length) await exitEnrollments(tx, ids, reason, now)
}

type Merge = { kind: PersonKind; survivorId: string; mergedIds: readonly string[]; now: Date }

/**
 * Ends the live enrollments of merged persons, because only those of the survivor go on. All of them move to the survivor, whose email
 * address may be another one by now.
 */
export async function mergeEnrollments(tx: TenantTx, { kind, survivorId, mergedIds, now }: Merge): Promise<void> {
  const ofMerged = await listEnrollmentIds(tx, toPersonLists(kind, mergedIds))
  const ofSurvivor = await listLiveEnrollmentIds(tx, toPersonLists(kind, [survivorId]))
  if (!ofMerged.length && !ofSurvivor.length) return
  const keys = await lockAddresses(tx, kind, [survivorId], [...ofMerged, ...ofSurvivor])
  const exited = new Set(idsOf(await exitEnrollments(tx, ofMerged, 'merged', now)))
  const merged = await listMergedEnrollments(tx, ofMerged)
  await moveEnrollments(
    tx,
    merged.map(({ id, lead_id, merge_origins }) => ({
      id,
      lead_id: kind === 'lead' ? survivorId : null,
      contact_id: kind === 'contact' ? survivorId : null,
      merge_origins: lead_id === null ? [] : [...merge_origins, { lead_id, ...(exited.has(id) && { is_ended: true }) }],
    })),
  )
  await updateLockedAddresses(tx, ofSurvivor, keys, now)
}

export async function countEnrollmentsEndedByMerge(
  tx: TenantTx,
  { survivorId, mergedIds }: { survivorId: string; mergedIds: readonly string[] },
): Promise<number> {
  const ids = await listEnrollmentIds(tx, toPersonLists('lead', [survivorId]))
  const origins = (await listMergedEnrollments(tx, ids)).map(({ merge_origins }) => merge_origins.at(-1))
  return origins.filter((origin) => origin && mergedIds.includes(origin.lead_id) && (origin.is_ended || origin.ended))
    .length
}

/** Gives ended enrollments back to the restored leads. Those that the merge had ended stay ended. */
export async function undoEnrollmentMerge(
  tx: TenantTx,
  { survivorId, restoredIds, now }: { survivorId: string; restoredIds: readonly string[]; now: Date },
): Promise<void> {
  const ids = await listEnrollmentIds(tx, toPersonLists('lead', [survivorId]))
  if (!ids.length) return
  const keys = await lockAddresses(tx, 'lead', [survivorId], ids)
  const enrollments = await listMergedEnrollments(tx, ids)
  const moves = enrollments.flatMap((enrollment): EnrollmentMove[] => {
    const origin = enrollment.merge_origins.at(-1)
    if (!origin || !restoredIds.includes(origin.lead_id) || isLiveEnrollment(enrollment)) return []
    const merge_origins = enrollment.merge_origins.slice(0, -1)
    return [{ id: enrollment.id, lead_id: origin.lead_id, contact_id: null, merge_origins }]
  })
  await moveEnrollments(tx, moves)
  await updateLockedAddresses(tx, ids, keys, now)
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** Writes the new email addresses of persons into their live enrollments. */
export async function updateAddresses(
  tx: TenantTx,
  kind: PersonKind,
  personIds: readonly string[],
  now: Date,
): Promise<void> {
  const ids = await listLiveEnrollmentIds(tx, toPersonLists(kind, personIds))
  if (!ids.length) return
  await updateLockedAddresses(tx, ids, await lockAddresses(tx, kind, personIds, ids), now)
}

type EmailKeys = ReadonlyMap<string, string | null>

/** Locks cadences, email addresses and enrollments in the order in which persons are enrolled, so that a free address stays free. */
async function lockAddresses(
  tx: TenantTx,
  kind: PersonKind,
  personIds: readonly string[],
  enrollmentIds: readonly string[],
): Promise<EmailKeys> {
  const cards = kind === 'lead' ? await findLeadCards(tx, personIds) : await findContactCards(tx, personIds)
  const keys = new Map([...cards].map(([id, { email }]) => [id, email?.toLowerCase() ?? null]))
  await lockCadencesShared(tx, await listCadenceIds(tx, enrollmentIds))
  await lockPersonsToEnroll(
    tx,
    [...keys.values()].flatMap((key) => key ?? []),
  )
  await lockEnrollments(tx, enrollmentIds)
  return keys
}

/** One person per email address and cadence stays enrolled. */
async function updateLockedAddresses(tx: TenantTx, ids: readonly string[], keys: EmailKeys, now: Date): Promise<void> {
  const keyOf = ({ lead_id, contact_id }: EnrollmentRow) => keys.get((lead_id ?? contact_id)!) ?? null
  const live = (await listEnrollments(tx, ids)).filter(isLiveEnrollment)
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
