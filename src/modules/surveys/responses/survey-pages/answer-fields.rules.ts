import { createHash } from 'node:crypto'
import { otherOption } from '../../design/conditions/visible-path.rules.ts'
import { answerField, type FormFields, otherField, type PageQuestion, scaleOf } from './page-question.ts'

export type ReadAnswer = { value: unknown } | { problem: string }

export function readAnswer(question: PageQuestion, fields: FormFields): ReadAnswer {
  const text = fields[answerField(question.key)]?.replaceAll('\r\n', '\n').trim() ?? ''
  switch (question.question_type) {
    case 'nps':
    case 'csat':
    case 'ces':
    case 'rating':
      return readScale(question, text)
    case 'single_choice':
      return readChoice(question, text, fields)
    case 'multiple_choice':
      return { value: orUndefined([...readChosen(question, fields), ...readOther(question, fields)]) }
    case 'ranking':
      return readRanking(question, fields)
    case 'matrix':
      return { value: readMatrix(question, fields) }
    case 'number':
      return readNumber(text)
    case 'yes_no':
      return { value: text === '' ? undefined : text === 'true' }
    case 'consent':
      return { value: text === 'true' }
    case 'statement':
      return { value: undefined }
    default:
      return { value: text === '' ? undefined : text }
  }
}

const orUndefined = (values: readonly unknown[]) => (values.length ? values : undefined)

function readScale(question: PageQuestion, text: string): ReadAnswer {
  if (text === '') return { value: undefined }
  return scaleOf(question).map(String).includes(text) ? { value: Number(text) } : { problem: 'range' }
}

/** A text of the respondent counts also if the respondent did not mark it. */
function readChoice(question: PageQuestion, text: string, fields: FormFields): ReadAnswer {
  const [other] = readOther(question, fields)
  if (text === otherOption) return other ? { value: other } : { problem: 'other_missing' }
  return { value: text === '' ? other : text }
}

const readChosen = ({ key, options }: PageQuestion, fields: FormFields): string[] =>
  options.filter((option) => fields[answerField(key, option.key)] !== undefined).map((option) => option.key)

function readOther({ key, rules }: PageQuestion, fields: FormFields): { other: string }[] {
  const other = fields[otherField(key)]?.trim()
  return rules.allow_other && other ? [{ other }] : []
}

function readRanking({ key, options }: PageQuestion, fields: FormFields): ReadAnswer {
  const ranked = options
    .map((option) => ({ key: option.key, rank: Number(fields[answerField(key, option.key)] || 0) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => one.rank - other.rank)
  if (new Set(ranked.map(({ rank }) => rank)).size < ranked.length) return { problem: 'unique' }
  return { value: orUndefined(ranked.map((option) => option.key)) }
}

function readMatrix({ key, rules: { rows = [] } }: PageQuestion, fields: FormFields): unknown {
  const chosen = rows.flatMap((row) => {
    const column = fields[answerField(key, row.key)]
    return column ? [[row.key, column] as const] : []
  })
  return chosen.length ? Object.fromEntries(chosen) : undefined
}

function readNumber(text: string): ReadAnswer {
  if (text === '') return { value: undefined }
  const value = /^[+-]?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN
  return Number.isNaN(value) ? { problem: 'type' } : { value }
}

/** Returns the fields that show an earlier answer. A value that does not fit the question fills in nothing. */
export function toFields({ key, question_type: type, options }: PageQuestion, value: unknown): FormFields {
  if (value === undefined || value === null) return {}
  if (type === 'ranking' && Array.isArray(value))
    return Object.fromEntries(value.map((option, at) => [answerField(key, String(option)), String(at + 1)]))
  if (Array.isArray(value)) return Object.assign({}, ...value.map((part) => toChoiceFields(key, part)))
  if (type === 'matrix' && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([row, column]) => [answerField(key, row), String(column)]))
  if (type === 'single_choice' && !options.some((option) => option.key === value)) {
    const other = toOtherField(key, value)
    return Object.keys(other).length ? { ...other, [answerField(key)]: otherOption } : {}
  }
  return typeof value === 'object' ? {} : { [answerField(key)]: String(value) }
}

const toChoiceFields = (key: string, part: unknown): FormFields =>
  typeof part === 'string' ? { [answerField(key, part)]: '1' } : toOtherField(key, part)

function toOtherField(key: string, value: unknown): FormFields {
  const other = typeof value === 'object' && value !== null && 'other' in value ? value.other : undefined
  return typeof other === 'string' ? { [otherField(key)]: other } : {}
}

type ShuffledOption = { key: string; exclusive?: boolean }

/** Each respondent gets another order, and the same one on every page. Options such as “None of these” stay at the end. */
export function shuffleOptions<Option extends ShuffledOption>(options: readonly Option[], seed: string): Option[] {
  const places = new Map(
    options.map(({ key }) => [key, createHash('sha256').update(`${seed}/${key}`).digest('base64url')]),
  )
  return [...options].sort(
    (one, other) =>
      Number(one.exclusive ?? false) - Number(other.exclusive ?? false) ||
      (places.get(one.key)! < places.get(other.key)! ? -1 : 1),
  )
}
