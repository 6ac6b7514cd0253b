import type { Condition, ConditionLeaf } from '../question-records/condition.schemas.ts'

export type AnswerValues = Readonly<Record<string, unknown>>
export type BranchingQuestion = { key: string; show_if: Condition | null; end_if: Condition | null }

/**
 * Returns the questions that a respondent with these answers sees, in order. A question is shown while the survey has not ended
 * and its `show_if` holds; the survey ends after a shown question whose `end_if` holds. Clients can follow the same steps.
 */
export function visiblePath<Question extends BranchingQuestion>(
  questions: readonly Question[],
  answers: AnswerValues,
): Question[] {
  const visible: Question[] = []
  const seen: Record<string, unknown> = Object.create(null)
  for (const question of questions) {
    if (question.show_if && !holds(question.show_if, seen)) continue
    visible.push(question)
    const value = Object.hasOwn(answers, question.key) ? answers[question.key] : undefined
    if (isAnswered(value)) seen[question.key] = value
    if (question.end_if && holds(question.end_if, seen)) break
  }
  return visible
}

export function isAnswered(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

function holds(condition: Condition, seen: AnswerValues): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, seen))
  if ('any' in condition) return condition.any.some((part) => holds(part, seen))
  return leafHolds(condition, seen[condition.question])
}

function leafHolds({ op, value }: ConditionLeaf, given: unknown): boolean {
  if (op === 'answered') return given !== undefined
  if (op === 'not_answered') return given === undefined
  if (given === undefined) return false
  const chosen = Array.isArray(given) ? given.map(toChoice) : [toChoice(given)]
  const wanted = Array.isArray(value) ? value : [value]
  switch (op) {
    case 'eq':
      return chosen[0] === value
    case 'ne':
      return chosen[0] !== value
    case 'in':
      return wanted.includes(chosen[0])
    case 'not_in':
      return !wanted.includes(chosen[0])
    case 'contains_any':
      return wanted.some((option) => chosen.includes(option))
    case 'contains_all':
      return wanted.every((option) => chosen.includes(option))
    case 'contains_none':
      return !wanted.some((option) => chosen.includes(option))
    default:
      return compares(op, given as number | string, value as number | string)
  }
}

/** Dates are compared as text, which has the order of time. */
function compares(op: 'gt' | 'gte' | 'lt' | 'lte', given: number | string, value: number | string): boolean {
  if (op === 'gt') return given > value
  if (op === 'gte') return given >= value
  return op === 'lt' ? given < value : given <= value
}

/** Stands for an answer in the respondent's own words. */
export const otherOption = '_other'

const toChoice = (value: unknown): unknown => (typeof value === 'object' && value !== null ? otherOption : value)
