import { findLeadCards } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { addCounts } from '../cadence-records/add-counts.queries.ts'
import { type CadenceRow, lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import { emitEnrollments, exitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { isLiveEnrollment } from '../cadence-records/enrollment-states.rules.ts'
import { listEnrollments } from '../cadence-records/enrollments.queries.ts'
import { planRuns } from '../cadence-runs/plan-runs.service.ts'
import { cadenceResumed } from '../marketing.events.ts'
import type { MergedEnrollment, MergeOrigin } from './merge-enrollments.rules.ts'
import { listEnrollmentIds, listLiveAddresses, moveEnrollments, reopenEnrollments } from './person-changes.queries.ts'
import { lockMergedEnrollments } from './person-changes.service.ts'

type Restored = { enrollment: MergedEnrollment; origin: MergeOrigin; emailKey: string | null }
type Undo = { survivorId: string; restoredIds: readonly string[]; now: Date }

/** Gives the enrollments back to the restored leads; those that the merge had ended go on, unless the address is enrolled again. */
export async function undoEnrollmentMerge(tx: TenantTx, { survivorId, restoredIds, now }: Undo): Promise<void> {
  const ids = await listEnrollmentIds(tx, { leadIds: [survivorId], contactIds: [] })
  if (!ids.length) return
  const enrollments = await lockMergedEnrollments(tx, ids)
  const leads = await findLeadCards(tx, restoredIds)
  const restored = enrollments.flatMap((enrollment): Restored[] => {
    const origin = enrollment.merge_origins.at(-1)
    if (!origin || !leads.has(origin.lead_id)) return []
    return [{ enrollment, origin, emailKey: leads.get(origin.lead_id)!.email?.toLowerCase() ?? null }]
  })
  if (!restored.length) return
  const { reopened, exits } = await findAddressConflicts(tx, restored)
  await exitEnrollments(tx, exits, 'merged', now)
  const exited = new Set(exits)
  await moveEnrollments(
    tx,
    restored.map(({ enrollment, origin, emailKey }) => {
      const isLive = (isLiveEnrollment(enrollment) && !exited.has(enrollment.id)) || reopened.has(enrollment.id)
      return {
        id: enrollment.id,
        lead_id: origin.lead_id,
        contact_id: null,
        person_email_key: isLive ? emailKey : enrollment.person_email_key,
        merge_origins: enrollment.merge_origins.slice(0, -1),
      }
    }),
  )
  await goOn(
    tx,
    restored.filter(({ enrollment }) => reopened.has(enrollment.id)),
    now,
  )
}

/** Enrollments that stay live or are reopened need the address of their lead, which another live one may have by now. */
async function findAddressConflicts(tx: TenantTx, restored: readonly Restored[]) {
  const ids = new Set(restored.map(({ enrollment }) => enrollment.id))
  const others = await listLiveAddresses(
    tx,
    restored.flatMap(({ emailKey }) => emailKey ?? []),
  )
  const taken = new Set(
    others
      .filter(({ id }) => !ids.has(id))
      .map(({ cadence_id, person_email_key }) => `${cadence_id} ${person_email_key}`),
  )
  const [reopened, exits] = [new Set<string>(), [] as string[]]
  for (const { enrollment, origin, emailKey } of restored) {
    const isLive = isLiveEnrollment(enrollment)
    const isReopened = !isLive && enrollment.status === 'exited' && origin.ended !== undefined
    if (!isLive && !isReopened) continue
    const place = `${enrollment.cadence_id} ${emailKey}`
    const isTaken = emailKey !== null && taken.has(place)
    if (isTaken && isLive) exits.push(enrollment.id)
    if (!isTaken && isReopened) reopened.add(enrollment.id)
    if (emailKey !== null) taken.add(place)
  }
  return { reopened, exits }
}

/** Enrollments of archived cadences and of persons who have replied since the merge stay ended. */
async function goOn(tx: TenantTx, reopened: readonly Restored[], now: Date): Promise<void> {
  const cadences = await lockCadencesShared(tx, [...new Set(reopened.map(({ enrollment }) => enrollment.cadence_id))])
  const open = new Map(cadences.filter(({ status }) => status !== 'archived').map((cadence) => [cadence.id, cadence]))
  const again = reopened.filter(({ enrollment }) => {
    const cadence = open.get(enrollment.cadence_id)
    return cadence !== undefined && !(cadence.exit_on.reply && hasRepliedSince(enrollment))
  })
  if (!again.length) return
  await reopenEnrollments(
    tx,
    again.map(({ enrollment: { id }, origin }) => ({ id, ...origin.ended! })),
  )
  const active = again.filter(({ origin }) => origin.ended!.status === 'active').map(({ enrollment }) => enrollment)
  await emitEnrollments(tx, cadenceResumed, active)
  await planAgain(tx, open, active, now)
  await addCounts(
    tx,
    again.flatMap(({ enrollment: { cadence_id, exit_reason } }) =>
      ['exited', `exited_${exit_reason}`].map((measure) => ({ cadence_id, step_id: cadence_id, measure, by: -1 })),
    ),
  )
}

const hasRepliedSince = ({ replied_at, ended_at }: MergedEnrollment): boolean =>
  replied_at !== null && ended_at !== null && replied_at >= ended_at

async function planAgain(
  tx: TenantTx,
  cadences: ReadonlyMap<string, CadenceRow>,
  enrollments: readonly MergedEnrollment[],
  now: Date,
): Promise<void> {
  const current = await listEnrollments(
    tx,
    enrollments.map(({ id }) => id),
  )
  for (const [cadenceId, ofCadence] of Map.groupBy(current, ({ cadence_id }) => cadence_id))
    await planRuns(tx, { cadence: cadences.get(cadenceId)!, enrollments: ofCadence, now })
}
