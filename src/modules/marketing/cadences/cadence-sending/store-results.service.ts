import { listEmailsById } from '#modules/email'
import type { TenantTx } from '#platform/db'
import { addCounts, type CountChange } from '../cadence-records/add-counts.queries.ts'
import { exitLiveEnrollments, pauseEnrollments } from '../cadence-records/end-enrollments.service.ts'
import type { ExitReason, PauseReason } from '../cadence-records/enrollments.queries.ts'
import { endRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import { addressChanged, notSentInTime } from '../cadence-runs/cadence-email-kind.ts'
import { notifyPaused } from '../cadence-runs/cadence-notifications.ts'
import { toRefusal } from '../cadence-runs/claim.rules.ts'
import { finishLockedRuns, finishRuns } from '../cadence-runs/finish-runs.service.ts'
import { type LockedRuns, lockRunsWithParents } from '../cadence-runs/lock-runs.service.ts'
import { planEnrollments } from '../cadence-runs/plan-runs.service.ts'

export type EmailResult = { id: string; reason: string | null }

/** The next step counts from the time at which the mail server accepted the email. */
export async function storeSentEmails(tx: TenantTx, results: readonly EmailResult[], now: Date): Promise<void> {
  const emails = await listEmailsById(
    tx,
    results.map(({ id }) => id),
  )
  await finishRuns(
    tx,
    results.map(({ id }) => ({
      id,
      state: 'done',
      at: emails.get(id)?.sent_at ?? now,
      isDelivered: true,
      measure: 'sent',
    })),
  )
}

/** An uncertain email may have arrived and is not sent again; a failed one is sent again when its enrollment is resumed. */
export async function storeUnsentEmails(
  tx: TenantTx,
  results: readonly EmailResult[],
  state: 'failed' | 'uncertain',
  now: Date,
): Promise<void> {
  const locked = await lockClaimed(tx, results)
  await endRuns(
    tx,
    locked.runs.map(({ id }) => ({ id, state, done_at: now })),
  )
  await pauseRuns(tx, locked.runs, state === 'uncertain' ? 'uncertain' : 'send_failed')
}

/** Stores emails that were not sent, because the person, the enrollment or the cadence changed after they were queued. */
export async function storeSkippedEmails(tx: TenantTx, results: readonly EmailResult[], now: Date): Promise<void> {
  const reasons = new Map(results.map(({ id, reason }) => [id, reason]))
  const locked = await lockClaimed(tx, results)
  const outcomes = Map.groupBy(locked.runs, (run) => toOutcome(run, reasons.get(run.id) ?? null, locked))
  const runsOf = (outcome: Outcome) => outcomes.get(outcome) ?? []

  const stopped = [...runsOf('pause'), ...runsOf('stop')]
  await endRuns(tx, [
    ...stopped.map(({ id }) => ({ id, state: 'skipped' as const, skip_reason: 'paused' })),
    ...[...runsOf('opted_out'), ...runsOf('bounced'), ...runsOf('end')].map(({ id }) => ({
      id,
      state: 'skipped' as const,
      skip_reason: reasons.get(id)!,
    })),
  ])
  await pauseRuns(tx, runsOf('pause'), 'missing_variable')
  // An email that was not sent in time or to the current address, or whose enrollment has continued since it was found to be paused.
  const continuing = runsOf('stop').flatMap((run) => {
    const enrollment = locked.enrollmentOf(run)
    const isActive = enrollment.status === 'active' && locked.cadenceOf(run).status === 'active'
    return isActive && enrollment.current_step_id === run.step_id ? [enrollment] : []
  })
  const completed = await planEnrollments(tx, locked.cadences, continuing, { now })
  const { counts } = await finishLockedRuns(
    tx,
    locked,
    runsOf('skip').map(({ id }) => ({ id, state: 'skipped', skip_reason: reasons.get(id) ?? 'not_sent', at: now })),
  )
  const optedOut = await exitRuns(tx, runsOf('opted_out'), 'opted_out', now)
  const bounced = await exitRuns(tx, runsOf('bounced'), 'bounced', now)
  await addCounts(tx, [...completed, ...counts, ...optedOut, ...bounced])
}

type Outcome = 'pause' | 'stop' | 'opted_out' | 'bounced' | 'end' | 'skip'

const plannedAgain = ['paused', notSentInTime, addressChanged]
const refusals = ['opted_out', 'not_opted_in', 'bounced', 'processing_restricted'] as const

function toOutcome(run: RunRow, reason: string | null, { cadenceOf }: LockedRuns): Outcome {
  if (reason === 'missing_variable') return 'pause'
  if (reason !== null && plannedAgain.includes(reason)) return 'stop'
  if (reason === 'enrollment_ended') return 'end'
  const code = refusals.find((refusal) => refusal === reason)
  const refusal = code && toRefusal({ allowed: false, code }, cadenceOf(run))
  return refusal?.type === 'exit' ? (refusal.reason as 'opted_out' | 'bounced') : 'skip'
}

async function lockClaimed(tx: TenantTx, results: readonly EmailResult[]): Promise<LockedRuns> {
  const locked = await lockRunsWithParents(
    tx,
    results.map(({ id }) => id),
  )
  return { ...locked, runs: locked.runs.filter(({ state }) => state === 'claimed') }
}

async function pauseRuns(tx: TenantTx, runs: readonly RunRow[], reason: PauseReason): Promise<void> {
  const paused = await pauseEnrollments(
    tx,
    runs.map(({ enrollment_id }) => enrollment_id),
    { reason },
  )
  await notifyPaused(tx, paused, reason)
}

async function exitRuns(tx: TenantTx, runs: readonly RunRow[], reason: ExitReason, now: Date): Promise<CountChange[]> {
  const ids = runs.map(({ enrollment_id }) => enrollment_id)
  return (await exitLiveEnrollments(tx, ids, reason, now)).counts
}
