import type { InputError } from '#platform/errors'
import { type AnswerValues, isAnswered, visiblePath } from '../../design/conditions/visible-path.rules.ts'
import type { Question } from '../../design/question-records/questions.schemas.ts'
import { findAnswerProblem } from './answer-values.rules.ts'

type CheckedAnswers = {
  problems: InputError[]
  /** Questions that the respondent saw, without statements, with their answers or undefined. */
  shown: { question: Question; value: unknown }[]
}

const atKey = (key: string, { code, message }: { code: string; message: string }): InputError => ({
  in: 'body',
  path: `/answers/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  code,
  message,
})

/**
 * Checks all answers at once. Answers to questions that are not shown are dropped, and those to archived questions too, because
 * the form may be older than the change.
 */
export function checkAnswers(
  questions: readonly Question[],
  answers: AnswerValues,
  { isComplete }: { isComplete: boolean },
): CheckedAnswers {
  const live = questions.filter(({ archived_at }) => archived_at === null)
  const given: Record<string, unknown> = Object.create(null)
  const problems: InputError[] = []
  for (const [key, raw] of Object.entries(answers)) {
    const question = live.find((candidate) => candidate.key === key)
    const value = typeof raw === 'string' ? raw.trim() : raw
    if (!question) {
      if (!questions.some((candidate) => candidate.key === key))
        problems.push(atKey(key, { code: 'unknown_question', message: `The survey has no question \`${key}\`.` }))
    } else if (isAnswered(value)) {
      const problem = findAnswerProblem(isComplete ? question : { ...question, required: false }, value)
      if (problem) problems.push(atKey(key, problem))
      else given[key] = value
    }
  }

  const shown = visiblePath(live, given)
    .filter(({ question_type }) => question_type !== 'statement')
    .map((question) => ({ question, value: given[question.key] }))
  const isInvalid = (key: string) => problems.some(({ path }) => path === `/answers/${key}`)
  if (isComplete)
    for (const { question, value } of shown)
      if (question.required && !isInvalid(question.key) && !isSatisfied(question, value))
        problems.push(atKey(question.key, describeMissing(question)))
  return { problems, shown }
}

const isSatisfied = ({ question_type }: Question, value: unknown) =>
  question_type === 'consent' ? value === true : value !== undefined

const describeMissing = ({ question_type }: Question) =>
  question_type === 'consent'
    ? { code: 'consent_required', message: 'Consent is required.' }
    : { code: 'required', message: 'An answer is required.' }
