import type { ValueNames } from '../../../patterns/step-editor/template-text.ts'
import type { StepEdits } from '../steps/step-edits.ts'
import { isChanged } from '../steps/step-edits.ts'
import { listStepProblems } from '../steps/step-problems.ts'

/** Something without which a cadence cannot start, and the step that lacks it. */
export type MissingPart =
  | { kind: 'steps' }
  | { kind: 'step'; key: string; position: number; problem: StepGap; value?: string }
  | { kind: 'from_address' | 'postal_address' }

type StepGap = 'subject' | 'text' | 'unknown' | 'malformed' | 'long' | 'unsaved'
type Addresses = { from_address: string | null; postal_address: string | null }

/** Lists what a cadence lacks to become active. Addresses are left out while they are not known. */
export function listMissingParts(
  edits: StepEdits,
  known: ValueNames | undefined,
  addresses: Addresses | undefined,
): MissingPart[] {
  const steps = edits.steps.flatMap((step, at): MissingPart[] => {
    const part = { kind: 'step' as const, key: step.key, position: at + 1 }
    const problems = listStepProblems(step.values, known).map(({ field, kind, value }): MissingPart => {
      const problem = kind === 'required' ? (field === 'subject_template' ? 'subject' : 'text') : kind
      return { ...part, problem, ...(value !== undefined && { value }) }
    })
    const isHeldBack = edits.rejected[step.key] !== undefined || edits.conflicts.some(({ key }) => key === step.key)
    return problems.length === 0 && isHeldBack && isChanged(edits, step) ? [{ ...part, problem: 'unsaved' }] : problems
  })
  return [
    ...(edits.steps.length === 0 ? [{ kind: 'steps' as const }] : steps),
    ...(['from_address', 'postal_address'] as const)
      .filter((name) => addresses && !addresses[name])
      .map((kind) => ({ kind })),
  ]
}
