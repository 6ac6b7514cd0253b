import type { RunRow } from '../cadence-records/runs.queries.ts'
import type { StepRow } from '../cadence-records/steps.queries.ts'

type RunResult = Pick<RunRow, 'step_id' | 'state' | 'skip_reason'>

/** An uncertain email may have arrived, so its step counts as executed. Runs of paused enrollments are planned again. */
export const isExecuted = ({ state, skip_reason }: RunResult): boolean =>
  state === 'done' || state === 'uncertain' || (state === 'skipped' && skip_reason !== 'paused')

/** Returns the first step from `position` that was not executed; `steps` are ordered by position. */
export function findNextStep(
  steps: readonly StepRow[],
  position: number,
  runs: readonly RunResult[],
): StepRow | undefined {
  const executed = new Set(runs.filter(isExecuted).map(({ step_id }) => step_id))
  return steps.find((step) => step.position >= position && !executed.has(step.id))
}
