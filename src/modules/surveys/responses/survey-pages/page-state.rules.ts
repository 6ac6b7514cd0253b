import { newRandomId } from '#platform/ids'
import { isDateTime } from '#platform/schema'
import type { AnswerValues } from '../../design/conditions/visible-path.rules.ts'
import { toFields } from './answer-fields.rules.ts'
import { type FormFields, formerField } from './page-question.ts'
import type { ShownStep } from './survey-steps.rules.ts'

/** Values that the pages of one respondent pass on. Only respondents with a public link have a submission. */
export type CarriedValues = { started_at?: string; submission_id?: string }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function readCarriedValues({ started_at = '', submission_id = '' }: FormFields, isLink: boolean): CarriedValues {
  return {
    ...(isDateTime(started_at) && { started_at }),
    ...(isLink && { submission_id: uuid.test(submission_id) ? submission_id : newRandomId() }),
  }
}

export function readFormerAnswers(questions: readonly { key: string }[], fields: FormFields): AnswerValues {
  return Object.fromEntries(
    questions.flatMap(({ key }) => {
      const value = parseJson(fields[formerField(key)])
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type PrefilledForm = { survey: { survey_type: string }; prefill: { score: number } | null }

export function selectScore(step: ShownStep, { survey, prefill }: PrefilledForm): ShownStep {
  const { question, fields, problem } = step
  const isAsked = question.question_type === survey.survey_type && Object.keys(fields).length === 0 && !problem
  return prefill && isAsked ? { ...step, fields: toFields(question, prefill.score) } : step
}
