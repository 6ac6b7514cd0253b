import type { CsvCell } from '#platform/csv'
import type { Question } from '../../design/question-records/questions.schemas.ts'
import { otherTextOf } from '../../responses/answers/answer-values.rules.ts'
import { toAnswerValue } from '../../responses/answers/stored-answers.rules.ts'
import type { ExportedResponse } from './exports.queries.ts'

const details = [
  'response_id',
  'submitted_at',
  'duration_seconds',
  'channel',
  'language',
  'score',
  'sentiment',
  'email',
  'name',
  'contact_id',
  'lead_id',
  'account_id',
]

/** The file of an anonymous survey contains answers only: no id, day or language, which could tell who responded. */
export const exportHeader = (questions: readonly Question[], isAnonymous: boolean): string[] => [
  ...(isAnonymous ? [] : details),
  ...questions.flatMap(columnsOf),
]

/** A matrix has one column per row. */
const columnsOf = ({ key, question_type, rules }: Question): string[] =>
  question_type === 'matrix' ? (rules.rows ?? []).map((row) => `${key}.${row.key}`) : [key]

export function toExportRow(
  response: ExportedResponse,
  questions: readonly Question[],
  isAnonymous: boolean,
): CsvCell[] {
  const { answers } = response
  const cells = questions.flatMap((question) => toCells(question, answers?.[question.id]))
  return isAnonymous ? cells : [...detailsOf(response), ...cells]
}

const detailsOf = (response: ExportedResponse): CsvCell[] => [
  response.id,
  new Date(response.submitted_at).toISOString(),
  response.duration_seconds,
  response.channel,
  response.language,
  response.score,
  response.sentiment,
  response.email,
  response.name,
  response.contact_id,
  response.lead_id,
  response.account_id,
]

type StoredValue = Parameters<typeof toAnswerValue>[1]

function toCells(question: Question, answer: StoredValue | undefined): CsvCell[] {
  const value = answer ? toAnswerValue(question.question_type, answer) : null
  if (question.question_type === 'matrix') {
    const chosen = (value ?? {}) as Record<string, string>
    return (question.rules.rows ?? []).map(({ key }) => chosen[key] ?? null)
  }
  return [toCell(value)]
}

function toCell(value: unknown): CsvCell {
  if (Array.isArray(value)) return value.map(toCell).join('; ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' || typeof value === 'number') return value
  return value === null ? null : (otherTextOf(value) ?? null)
}
