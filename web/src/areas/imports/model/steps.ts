import { type Step, steps } from './step-names.ts'
import type { ListedImport, Outcome } from './types.ts'

type Progress = Pick<ListedImport, 'state' | 'created' | 'updated' | 'undone' | 'kept' | 'dry_run'>

/** Rows that the last run has written and no undo has removed. */
export const countWritten = ({ state, created, updated, undone, kept }: Omit<Progress, 'dry_run'>): number =>
  state === 'undone' ? 0 : Math.max(0, created + updated - undone - kept)

/** The steps that can be opened. Nothing can be changed while a task runs or after all rows were imported. */
export function listOpenSteps(file: Progress): readonly Step[] {
  switch (file.state) {
    case 'uploaded':
      return ['file', 'columns', 'options']
    case 'mapped':
      return ['file', 'columns', 'options', ...(file.dry_run ? (['check'] as const) : [])]
    case 'checking':
      return ['check']
    case 'failed':
    case 'cancelled':
    case 'undone':
      return countWritten(file) > 0 ? ['import'] : ['file', 'columns', 'options', 'import']
    default:
      return ['import']
  }
}

/** The step of the URL, if it can be opened, otherwise the one where the import is. */
export function currentStep(file: Progress, wanted: Step | undefined): Step {
  const open = listOpenSteps(file)
  if (wanted && open.includes(wanted)) return wanted
  if (file.state === 'uploaded' || file.state === 'mapped') return file.dry_run ? 'check' : 'columns'
  return open.at(-1)!
}

export const isDone = (step: Step, current: Step): boolean => steps.indexOf(step) < steps.indexOf(current)

export const outcomes: readonly Outcome[] = ['created', 'updated', 'skipped', 'failed', 'warnings']

export const firstOutcome = (counts: Record<Outcome, number>): Outcome =>
  counts.failed > 0 ? 'failed' : (outcomes.find((outcome) => counts[outcome] > 0) ?? 'created')
