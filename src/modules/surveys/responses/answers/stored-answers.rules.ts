import { otherOption } from '../../design/conditions/visible-path.rules.ts'
import type { Question, QuestionType } from '../../design/question-records/questions.schemas.ts'
import { otherTextOf } from './answer-values.rules.ts'

export type StoredAnswer = {
  question_id: string
  question_revision: number
  is_answered: boolean
  value_number: number | null
  value_text: string | null
  value_options: string[] | null
  value_json: Record<string, string> | null
}

const empty = { value_number: null, value_text: null, value_options: null, value_json: null }

export function toStoredAnswer({ id, revision, question_type }: Question, value: unknown): StoredAnswer {
  const question = { question_id: id, question_revision: revision, is_answered: value !== undefined }
  return { ...question, ...empty, ...(value === undefined ? {} : toColumns(question_type, value)) }
}

function toColumns(type: QuestionType, value: unknown): Partial<StoredAnswer> {
  if (typeof value === 'number') return { value_number: value }
  if (typeof value === 'boolean') return { value_options: [value ? 'yes' : 'no'] }
  if (type === 'matrix') return { value_json: value as Record<string, string> }
  if (type === 'single_choice' || type === 'multiple_choice') {
    const chosen = [value].flat()
    return {
      value_options: chosen.map((item) => (typeof item === 'string' ? item : otherOption)),
      value_text: chosen.map(otherTextOf).find((text) => text !== undefined) ?? null,
    }
  }
  return type === 'ranking' ? { value_options: value as string[] } : { value_text: String(value) }
}

type StoredValue = Omit<StoredAnswer, 'question_id' | 'question_revision'>

/** Returns the value as the respondent sent it; null without an answer, or if its text was erased. */
export function toAnswerValue(type: QuestionType, answer: StoredValue): unknown {
  const { is_answered, value_number, value_text, value_options, value_json } = answer
  if (!is_answered) return null
  if (value_number !== null) return Number(value_number)
  if (type === 'matrix') return value_json
  if (type === 'yes_no' || type === 'consent') return value_options?.[0] === 'yes'
  if (type === 'ranking') return value_options
  if (type !== 'single_choice' && type !== 'multiple_choice') return value_text
  const chosen = (value_options ?? []).map((key) => (key === otherOption ? { other: value_text } : key))
  return type === 'single_choice' ? (chosen[0] ?? null) : chosen
}

export type StatDelta = { question_id: string; bucket: string; n: number; sum: number }

export const skippedBucket = '_skipped'
export const anyBucket = '*'

export function statDeltasOf(type: QuestionType, answer: Omit<StoredAnswer, 'question_revision'>): StatDelta[] {
  const { question_id, is_answered, value_number, value_options, value_json } = answer
  const delta = (bucket: string, sum = 0): StatDelta => ({ question_id, bucket, n: 1, sum })
  if (!is_answered) return [delta(skippedBucket)]
  const number = value_number === null ? null : Number(value_number)
  if (number !== null) return [type === 'number' ? delta(anyBucket, number) : delta(String(number), number)]
  const ofAnswer = delta(anyBucket)
  if (type === 'ranking')
    return [ofAnswer, ...(value_options ?? []).map((option, index) => delta(`${index + 1}:${option}`, index + 1))]
  if (value_json) return [ofAnswer, ...Object.entries(value_json).map(([row, column]) => delta(`${row}:${column}`))]
  if (type === 'multiple_choice') return [ofAnswer, ...(value_options ?? []).map((option) => delta(option))]
  return value_options ? value_options.map((option) => delta(option)) : [delta(anyBucket)]
}

/** Adds deltas of the same bucket, in the order of the key of the table. */
export function sumStatDeltas<Delta extends { n: number; sum: number }>(
  deltas: readonly Delta[],
  keyOf: (delta: Delta) => string,
): Delta[] {
  const sums = new Map<string, Delta>()
  for (const delta of deltas) {
    const known = sums.get(keyOf(delta))
    sums.set(keyOf(delta), known ? { ...delta, n: known.n + delta.n, sum: known.sum + delta.sum } : { ...delta })
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, delta]) => delta)
}
