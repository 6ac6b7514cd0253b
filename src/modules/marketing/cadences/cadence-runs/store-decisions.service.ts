import type { TenantTx } from '#platform/db'
import { endRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import type { RunDecision } from './claim.rules.ts'
import { type MovedRun, updateMovedRuns, updateNextRuns } from './due-runs.queries.ts'

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
