import { findTemplateProblem, type ValueNames, valueAt } from '../../../patterns/step-editor/template-text.ts'
import type { EditedStep, StepValues } from './step-model.ts'

export type TextField = 'subject_template' | 'body_template'

/** A text that the API would not store, so that the step stays in the browser until it is fixed. */
export type StepProblem = { field: TextField; kind: 'required' | 'unknown' | 'malformed' | 'long'; value?: string }

const textFields: readonly TextField[] = ['subject_template', 'body_template']
const maxLengths: Readonly<Record<TextField, number>> = { subject_template: 200, body_template: 20_000 }

export function listStepProblems(values: StepValues, known: ValueNames | undefined): StepProblem[] {
  return textFields.flatMap((field): StepProblem[] => {
    const text = values[field]
    if (text === null || text.trim() === '') return values.type === 'email_auto' ? [{ field, kind: 'required' }] : []
    if (text.length > maxLengths[field]) return [{ field, kind: 'long' }]
    const problem = findTemplateProblem(text, known)
    if (!problem) return []
    return problem.code === 'unknown_variable'
      ? [{ field, kind: 'unknown', value: valueAt(text, problem) }]
      : [{ field, kind: 'malformed' }]
  })
}

export const hasProblems = ({ values }: Pick<EditedStep, 'values'>, known: ValueNames | undefined): boolean =>
  listStepProblems(values, known).length > 0
