import type { TenantTx } from '#platform/db'
import type { DomainEvent } from '#platform/outbox'
import { emitMany } from '#platform/outbox'
import { cadenceCompleted, cadenceExited, cadencePaused } from '../../marketing.events.ts'
import { addCounts, type CountChange } from './add-counts.queries.ts'
import { lockCadencesShared } from './cadences.queries.ts'
import { isLiveEnrollment } from './enrollment-states.rules.ts'
import {
  type EnrollmentRow,
  type ExitReason,
  listCadenceIds,
  lockEnrollments,
  type PauseReason,
  updateEndedEnrollments,
  updatePausedEnrollments,
} from './enrollments.queries.ts'
import { endRuns, lockOpenRuns, type RunRow } from './runs.queries.ts'

const enrollmentsPerEvent = 200

type EnrollmentsEvent = typeof cadenceCompleted & DomainEvent

/** Emits one event per cadence and 200 enrollments. */
export async function emitEnrollments(
  tx: TenantTx,
  event: Pick<DomainEvent, 'type'>,
  enrollments: readonly Pick<EnrollmentRow, 'id' | 'cadence_id' | 'lead_id' | 'contact_id'>[],
  data: { reason?: string; sender_id?: string } = {},
): Promise<void> {
  const occurrences = [...Map.groupBy(enrollments, ({ cadence_id }) => cadence_id)].flatMap(([id, ofCadence]) => {
    const members = ofCadence.map((one) => ({ id: one.id, lead_id: one.lead_id, contact_id: one.contact_id }))
    return Array.from({ length: Math.ceil(members.length / enrollmentsPerEvent) }, (_, at) => ({
      subject: { id },
      data: { enrollments: members.slice(at * enrollmentsPerEvent, (at + 1) * enrollmentsPerEvent), ...data },
    }))
  })
  await emitMany(tx, event as EnrollmentsEvent, occurrences)
}

/** Ends those enrollments that are live. Locks their cadences in shared mode, and then the enrollments and runs. */
export async function exitEnrollments(
  tx: TenantTx,
  ids: readonly string[],
  reason: ExitReason,
  now: Date,
): Promise<EnrollmentRow[]> {
  const { exited, counts } = await exitLiveEnrollments(tx, ids, reason, now)
  await addCounts(tx, counts)
  return exited
}

/** Like `exitEnrollments`. Returns the counts that the caller adds at the end of the transaction. */
export async function exitLiveEnrollments(
  tx: TenantTx,
  ids: readonly string[],
  reason: ExitReason,
  now: Date,
): Promise<{ exited: EnrollmentRow[]; counts: CountChange[] }> {
  const live = await lockLiveEnrollments(tx, ids)
  if (!live.length) return { exited: [], counts: [] }
  await stopRuns(tx, live, 'enrollment_ended')
  await updateEndedEnrollments(tx, idsOf(live), { status: 'exited', exit_reason: reason, ended_at: now })
  await emitEnrollments(tx, cadenceExited, live, { reason })
  const measures = ['exited', `exited_${reason}`]
  return { exited: live, counts: live.flatMap((one) => measures.map((measure) => countCadence(one, measure))) }
}

/** For locked enrollments without a further step. Returns the counts that the caller adds at the end of the transaction. */
export async function completeEnrollments(
  tx: TenantTx,
  enrollments: readonly EnrollmentRow[],
  now: Date,
): Promise<CountChange[]> {
  if (!enrollments.length) return []
  await updateEndedEnrollments(tx, idsOf(enrollments), { status: 'completed', exit_reason: null, ended_at: now })
  await emitEnrollments(tx, cadenceCompleted, enrollments)
  return enrollments.map((one) => countCadence(one, 'completed'))
}

type Pause = { reason: PauseReason; until?: Date | null; appliesTo?: (enrollment: EnrollmentRow) => boolean }

/** Pauses those enrollments that are active; paused ones get the new time if they have the same reason, or if a user pauses them. */
export async function pauseEnrollments(
  tx: TenantTx,
  ids: readonly string[],
  { reason, until = null, appliesTo = () => true }: Pause,
): Promise<EnrollmentRow[]> {
  const live = (await lockLiveEnrollments(tx, ids)).filter(appliesTo)
  const replaced = (former: PauseReason | null) => reason === 'manual' || reason === former
  const changed = live.filter(({ status, paused_reason }) => status === 'active' || replaced(paused_reason))
  if (!changed.length) return []
  await stopRuns(tx, changed, 'paused')
  await updatePausedEnrollments(tx, idsOf(changed), { paused_reason: reason, paused_until: until })
  const paused = changed.filter(({ status }) => status === 'active')
  await emitEnrollments(tx, cadencePaused, paused, { reason })
  return paused
}

async function lockLiveEnrollments(tx: TenantTx, ids: readonly string[]): Promise<EnrollmentRow[]> {
  if (!ids.length) return []
  await lockCadencesShared(tx, await listCadenceIds(tx, ids))
  const enrollments = await lockEnrollments(tx, ids)
  return enrollments.filter(isLiveEnrollment)
}

/** Queued emails are not sent either: they are rendered only while their enrollment is active. */
async function stopRuns(tx: TenantTx, enrollments: readonly EnrollmentRow[], reason: string): Promise<void> {
  const runs = await lockOpenRuns(tx, idsOf(enrollments))
  const isStopped = ({ state, activity_id }: RunRow) =>
    state === 'waiting' || (activity_id !== null && reason === 'enrollment_ended')
  const stopped = runs.filter(isStopped)
  await endRuns(
    tx,
    stopped.map(({ id }) => ({ id, state: 'skipped', skip_reason: reason })),
  )
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

const countCadence = ({ cadence_id }: EnrollmentRow, measure: string) => ({
  cadence_id,
  step_id: cadence_id,
  measure,
  by: 1,
})
