import type { TenantTx } from '#platform/db'
import { addCounts, type CountChange, countStep } from '../cadence-records/add-counts.queries.ts'
import type { StepMeasure } from '../cadence-records/enrollment-states.rules.ts'
import type { EnrollmentRow } from '../cadence-records/enrollments.queries.ts'
import { endRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import { updateExecutedSteps } from './finish-runs.queries.ts'
import { type LockedRuns, lockRunsWithParents } from './lock-runs.service.ts'
import { planEnrollments } from './plan-runs.service.ts'

export type FinishedRun = {
  id: string
  state: 'done' | 'skipped'
  skip_reason?: string
  at: Date
  /** True if an email was accepted by the mail server. */
  isDelivered?: boolean
  measure?: StepMeasure
}

/** Ends runs that have not ended, and plans the next step of their enrollments if these are active and still at the step. */
export async function finishRuns(tx: TenantTx, finished: readonly FinishedRun[]): Promise<RunRow[]> {
  const locked = await lockRunsWithParents(
    tx,
    finished.map(({ id }) => id),
  )
  const { ended, counts } = await finishLockedRuns(tx, locked, finished)
  await addCounts(tx, counts)
  return ended
}

/** Returns the counts that the caller adds at the end of the transaction. */
export async function finishLockedRuns(
  tx: TenantTx,
  locked: LockedRuns,
  finished: readonly FinishedRun[],
): Promise<{ ended: RunRow[]; counts: CountChange[] }> {
  const resultById = new Map(finished.map((result) => [result.id, result]))
  const isOpen = ({ id, state }: RunRow) => resultById.has(id) && (state === 'waiting' || state === 'claimed')
  const open = locked.runs.filter(isOpen)
  if (!open.length) return { ended: [], counts: [] }

  await endRuns(
    tx,
    open.map(({ id }) => {
      const { state, skip_reason, at } = resultById.get(id)!
      return { id, state, skip_reason: skip_reason ?? null, done_at: at }
    }),
  )
  const steps = open.map(({ id, enrollment_id }) => {
    const { at, isDelivered = false } = resultById.get(id)!
    return { id: enrollment_id, at, is_delivered: isDelivered }
  })
  const firstDelivered = await updateExecutedSteps(tx, steps)
  const executedAt = new Map(steps.map(({ id, at }) => [id, at]))
  const continuing = open
    .filter((run) => isAtStep(locked.enrollmentOf(run), run))
    .map((run) => withStepTime(locked.enrollmentOf(run), executedAt.get(run.enrollment_id)!))
  const now = new Date(Math.max(...finished.map(({ at }) => at.getTime())))
  const completed = await planEnrollments(tx, locked.cadences, continuing, { now })
  const counts = open.flatMap((run) => {
    const { measure } = resultById.get(run.id)!
    return measure ? countStep(run, measure) : []
  })
  const delivered = open
    .filter(({ enrollment_id }) => firstDelivered.includes(enrollment_id))
    .map(({ cadence_id }) => ({ cadence_id, step_id: cadence_id, measure: 'persons_delivered', by: 1 }))
  return { ended: open, counts: [...completed, ...counts, ...delivered] }
}

const isAtStep = ({ status, current_step_id }: EnrollmentRow, { step_id }: RunRow): boolean =>
  status === 'active' && current_step_id === step_id

const withStepTime = (enrollment: EnrollmentRow, at: Date): EnrollmentRow => ({
  ...enrollment,
  last_step_at: enrollment.last_step_at && enrollment.last_step_at > at ? enrollment.last_step_at : at,
})
