import { type InputError, invalidInput } from '#platform/errors'
import type { AskedQuestion } from './question-spec.ts'
import type { Answer } from './questions.schemas.ts'

/** Rejects answers to unknown questions, several answers to one, and parts that the question does not have. */
export function assertAnswersFit(questions: readonly AskedQuestion[], answers: readonly Answer[]): void {
  const questionOf = new Map(questions.map((question) => [question.id, question]))
  const problems = answers.flatMap((answer, index): InputError[] => {
    const path = `/answers/${index}`
    const question = questionOf.get(answer.question_id)
    if (!question)
      return [
        problem(`${path}/question_id`, 'unknown_reference', '`question_id` must refer to a question of the quiz.'),
      ]
    if (answers.findIndex(({ question_id }) => question_id === answer.question_id) < index)
      return [problem(`${path}/question_id`, 'duplicate', 'A question must have at most one answer.')]
    const field = findUnknownPart(question, answer)
    return field
      ? [problem(`${path}/${field}`, 'unknown_reference', `\`${field}\` must have ids of the question.`)]
      : []
  })
  if (problems.length) throw invalidInput(problems)
}

const problem = (path: string, code: string, message: string): InputError => ({ in: 'body', path, code, message })

function findUnknownPart({ spec }: AskedQuestion, { option_ids = [], order = [], pairs = [] }: Answer) {
  const isOneOf = (parts: readonly string[] = []) => {
    const known = new Set(parts)
    return (id: string) => known.has(id)
  }
  if (!option_ids.every(isOneOf(spec.options?.map(({ id }) => id)))) return 'option_ids'
  if (!order.every(isOneOf(spec.items?.map(({ id }) => id)))) return 'order'
  const isLeft = isOneOf(spec.pairs?.map(({ left_id }) => left_id))
  const isRight = isOneOf(spec.pairs?.map(({ right_id }) => right_id))
  return pairs.every(({ left_id, right_id }) => isLeft(left_id) && isRight(right_id)) ? undefined : 'pairs'
}
