import { isDate } from '#platform/schema'
import { liveOptions } from '../../design/question-records/question-rules.rules.ts'
import type { Question, QuestionRules } from '../../design/question-records/questions.schemas.ts'
import { scoreRanges } from '../../design/scores/scores.rules.ts'

type KeyedPart = { key: string }

export type AnsweredQuestion = Pick<Question, 'key' | 'question_type' | 'required'> & {
  options: readonly (KeyedPart & { exclusive?: boolean; archived?: boolean })[]
  rules: Omit<QuestionRules, 'labels' | 'rows' | 'columns'> & {
    rows?: readonly KeyedPart[]
    columns?: readonly KeyedPart[]
  }
}
export type AnswerProblem = { code: string; message: string }

const problem = (code: string, message: string): AnswerProblem => ({ code, message })
const maxOtherLength = 500

/** Checks the value of an answer that is not empty. */
export function findAnswerProblem(question: AnsweredQuestion, value: unknown): AnswerProblem | undefined {
  const { question_type: type, rules } = question
  switch (type) {
    case 'nps':
    case 'csat':
    case 'ces':
      return findIntegerProblem(value, scoreRanges[type])
    case 'rating':
      return findIntegerProblem(value, { min: 1, max: rules.scale! })
    case 'single_choice':
      return isOption(question, value) ? undefined : problem('enum', 'The answer must be one of the options.')
    case 'multiple_choice':
      return findChoicesProblem(question, value)
    case 'ranking':
      return findRankingProblem(question, value)
    case 'matrix':
      return findMatrixProblem(question, value)
    case 'short_text':
    case 'long_text':
      return findTextProblem(question, value)
    case 'number':
      return findNumberProblem(question, value)
    case 'date':
      return findDateProblem(question, value)
    case 'email':
      return typeof value === 'string' && value.length <= 254 && emailPattern.test(value)
        ? undefined
        : problem('format', 'The answer must be an email address.')
    case 'yes_no':
    case 'consent':
      return typeof value === 'boolean' ? undefined : problem('type', 'The answer must be true or false.')
    case 'statement':
      return problem('not_allowed', 'This question takes no answer.')
  }
}

const emailPattern = /^[^\s@]{1,64}@[^\s@]+\.[^\s@.]+$/

function findIntegerProblem(value: unknown, { min, max }: { min: number; max: number }): AnswerProblem | undefined {
  const isInRange = Number.isInteger(value) && (value as number) >= min && (value as number) <= max
  return isInRange ? undefined : problem('range', `The answer must be an integer from ${min} to ${max}.`)
}

/** An answer in the respondent's own words: `{ "other": "text" }`. */
export function otherTextOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { other, ...rest } = value as Record<string, unknown>
  const isText = typeof other === 'string' && other.trim() !== '' && other.length <= maxOtherLength
  return isText && !Object.keys(rest).length ? other.trim() : undefined
}

function isOption({ options, rules }: AnsweredQuestion, value: unknown): boolean {
  if (typeof value === 'string') return liveOptions(options).some(({ key }) => key === value)
  return rules.allow_other === true && otherTextOf(value) !== undefined
}

function findChoicesProblem(question: AnsweredQuestion, value: unknown): AnswerProblem | undefined {
  if (!Array.isArray(value) || value.length > 51 || !value.every((item) => isOption(question, item)))
    return problem('enum', 'The answer must be a list of options.')
  const keys = value.map((item) => (typeof item === 'string' ? item : null))
  if (new Set(keys).size < keys.length) return problem('unique', 'The answer must not have an option twice.')
  const exclusive = question.options.find(({ key, exclusive: isExclusive }) => isExclusive && keys.includes(key))
  if (exclusive && keys.length > 1)
    return problem('exclusive', `\`${exclusive.key}\` cannot be combined with other options.`)
  const { min_selected = 0, max_selected } = question.rules
  if (keys.length < min_selected) return problem('min_items', `The answer must have at least ${min_selected} options.`)
  if (max_selected && keys.length > max_selected)
    return problem('max_items', `The answer must have at most ${max_selected} options.`)
  return undefined
}

function findRankingProblem({ options, rules }: AnsweredQuestion, value: unknown): AnswerProblem | undefined {
  const keys = liveOptions(options).map(({ key }) => key)
  if (!Array.isArray(value) || value.length > keys.length || !value.every((item) => keys.includes(item)))
    return problem('enum', 'The answer must be a list of options in order.')
  if (new Set(value).size < value.length) return problem('unique', 'The answer must not have an option twice.')
  return rules.rank_all && value.length < keys.length
    ? problem('min_items', 'The answer must have every option.')
    : undefined
}

function findMatrixProblem({ rules, required }: AnsweredQuestion, value: unknown): AnswerProblem | undefined {
  const [rows, columns] = [rules.rows ?? [], rules.columns ?? []]
  const isValid =
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.entries(value!).every(
      ([row, column]) => rows.some(({ key }) => key === row) && columns.some(({ key }) => key === column),
    )
  if (!isValid) return problem('enum', 'The answer must have a column for rows of the question.')
  return required && Object.keys(value!).length < rows.length
    ? problem('required', 'The answer must have every row.')
    : undefined
}

const formats: Record<string, { pattern: RegExp; name: string }> = {
  url: { pattern: /^https?:\/\/[^\s/$.?#][^\s]*$/i, name: 'a URL' },
  phone: { pattern: /^\+?[0-9 ()./-]{5,30}$/, name: 'a phone number' },
  digits: { pattern: /^[0-9]+$/, name: 'digits' },
}

function findTextProblem({ rules }: AnsweredQuestion, value: unknown): AnswerProblem | undefined {
  if (typeof value !== 'string') return problem('type', 'The answer must be a text.')
  if (value.length > rules.max_length!)
    return problem('max_length', `The answer must have at most ${rules.max_length} characters.`)
  const format = formats[rules.format ?? 'any']
  return format && !format.pattern.test(value.trim())
    ? problem('format', `The answer must be ${format.name}.`)
    : undefined
}

const maxNumber = 1e15

function findNumberProblem({ rules }: AnsweredQuestion, value: unknown): AnswerProblem | undefined {
  if (typeof value !== 'number' || !(Math.abs(value) <= maxNumber))
    return problem('type', 'The answer must be a number.')
  const { min = null, max = null, decimals = 0 } = rules
  if (min !== null && value < Number(min)) return problem('minimum', `The answer must be at least ${min}.`)
  if (max !== null && value > Number(max)) return problem('maximum', `The answer must be at most ${max}.`)
  return Number(value.toFixed(decimals)) === value
    ? undefined
    : problem('decimals', `The answer must have at most ${decimals} decimals.`)
}

function findDateProblem({ rules }: AnsweredQuestion, value: unknown): AnswerProblem | undefined {
  if (typeof value !== 'string' || !isDate(value)) return problem('format', 'The answer must be a day: YYYY-MM-DD.')
  const { min = null, max = null } = rules
  if (min !== null && value < String(min)) return problem('minimum', `The answer must not be before ${min}.`)
  return max !== null && value > String(max) ? problem('maximum', `The answer must not be after ${max}.`) : undefined
}
