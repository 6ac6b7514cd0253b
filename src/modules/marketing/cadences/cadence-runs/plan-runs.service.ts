import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { addCounts, type CountChange } from '../cadence-records/add-counts.queries.ts'
import type { CadenceRow } from '../cadence-records/cadences.queries.ts'
import { completeEnrollments } from '../cadence-records/end-enrollments.service.ts'
import type { EnrollmentRow } from '../cadence-records/enrollments.queries.ts'
import { endRuns, listRunsOfEnrollments, lockRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import { listSteps, listStepsById, type StepRow } from '../cadence-records/steps.queries.ts'
import type { RunDecision } from './claim.rules.ts'
import { type MovedRun, updateMovedRuns, updateNextRuns } from './due-runs.queries.ts'
import { findNextStep, isExecuted, planRun } from './plan.rules.ts'
import { type PlannedEnrollment, type PlannedRun, updatePlannedEnrollments, upsertRuns } from './plan-runs.queries.ts'
import { readRunContext } from './run-times.service.ts'

type Plan = {
  cadence: CadenceRow
  /** Locked enrollments of the cadence. */
  enrollments: readonly EnrollmentRow[]
  /** The first step that may be next; without it the current step of each enrollment. */
  step?: StepRow
  now: Date
}

/**
 * Plans the next step of enrollments that was not executed, or completes them. Paused enrollments become active. While the cadence is
 * not active, only their step is set.
 */
export async function planRuns(tx: TenantTx, { cadence, enrollments, step, now }: Plan): Promise<void> {
  await addCounts(tx, await planEnrollments(tx, [cadence], enrollments, { step, now }))
}

/** Like `planRuns` for several cadences. Returns the counts that the caller adds at the end of the transaction. */
export async function planEnrollments(
  tx: TenantTx,
  cadences: readonly CadenceRow[],
  enrollments: readonly EnrollmentRow[],
  { step, now }: { step?: StepRow | undefined; now: Date },
): Promise<CountChange[]> {
  if (!enrollments.length) return []
  const cadenceById = new Map(cadences.map((cadence) => [cadence.id, cadence]))
  const [steps, positions, runs, context] = await Promise.all([
    listSteps(tx, [...cadenceById.keys()]),
    readPositions(tx, enrollments),
    listRunsOfEnrollments(
      tx,
      enrollments.map(({ id }) => id),
    ),
    readRunContext(tx, enrollments),
  ])
  const runsByEnrollment = Map.groupBy(runs, ({ enrollment_id }) => enrollment_id)
  const stepsByCadence = Map.groupBy(steps, ({ cadence_id }) => cadence_id)
  const planned: PlannedRun[] = []
  const updated: PlannedEnrollment[] = []
  const completed: EnrollmentRow[] = []
  for (const enrollment of enrollments) {
    const cadence = cadenceById.get(enrollment.cadence_id)!
    const own = runsByEnrollment.get(enrollment.id) ?? []
    const first = step?.position ?? positions.get(enrollment.current_step_id ?? '') ?? 1
    const next = findNextStep(stepsByCadence.get(cadence.id) ?? [], first, own)
    if (!next) {
      completed.push(enrollment)
      continue
    }
    const isRunning = own.some(({ step_id, state }) => step_id === next.id && state === 'claimed')
    const from = enrollment.last_step_at ?? enrollment.enrolled_at
    const times = context.timesOf(cadence, enrollment)
    const runAt = isRunning || cadence.status !== 'active' ? null : planRun({ delay: next, from, earliest: now, times })
    updated.push({ id: enrollment.id, current_step_id: next.id, next_run_at: runAt })
    if (runAt)
      planned.push({
        id: newId(),
        enrollment_id: enrollment.id,
        cadence_id: cadence.id,
        step_id: next.id,
        run_at: runAt,
      })
  }
  await lockPlannedRuns(tx, runs, planned)
  await updatePlannedEnrollments(tx, updated)
  await upsertRuns(tx, planned)
  return await completeEnrollments(tx, completed, now)
}

/** Positions of the current steps; a removed step keeps the position that it had. */
async function readPositions(tx: TenantTx, enrollments: readonly EnrollmentRow[]): Promise<Map<string, number>> {
  const ids = [...new Set(enrollments.flatMap(({ current_step_id }) => current_step_id ?? []))]
  return new Map((await listStepsById(tx, ids)).map(({ id, position }) => [id, position]))
}

async function lockPlannedRuns(tx: TenantTx, runs: readonly RunRow[], planned: readonly PlannedRun[]): Promise<void> {
  const plannedSteps = new Set(planned.map(({ enrollment_id, step_id }) => `${enrollment_id} ${step_id}`))
  const isPlanned = (run: RunRow) => !isExecuted(run) && plannedSteps.has(`${run.enrollment_id} ${run.step_id}`)
  const again = runs.filter(isPlanned).map(({ id }) => id)
  if (again.length) await lockRuns(tx, again)
}

type DecidedRun = { run: RunRow; decision: RunDecision }

/** For locked runs and enrollments. Moves and stops runs as decided; claimed runs have no next time. Returns the number of runs. */
export async function storeRunDecisions(
  tx: TenantTx,
  candidates: readonly DecidedRun[],
  { claimed, later = [] }: { claimed: readonly DecidedRun[]; later?: readonly MovedRun[] },
): Promise<number> {
  const stopped = candidates.filter(({ decision }) => decision.type === 'stop')
  const outside = candidates.flatMap(({ run: { id, enrollment_id }, decision }) =>
    decision.type === 'move' ? [{ id, enrollment_id, run_at: decision.runAt }] : [],
  )
  const moved = [...outside, ...later]
  await updateNextRuns(tx, [
    ...moved.map(({ enrollment_id, run_at }) => ({ id: enrollment_id, next_run_at: run_at })),
    ...[...claimed, ...stopped].map(({ run }) => ({ id: run.enrollment_id, next_run_at: null })),
  ])
  await endRuns(
    tx,
    stopped.map(({ run }) => ({ id: run.id, state: 'skipped', skip_reason: 'paused' })),
  )
  await updateMovedRuns(tx, moved)
  return stopped.length + moved.length + claimed.length
}
