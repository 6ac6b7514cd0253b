import type { InputError } from '#platform/errors'
import { type Languages, listLanguageProblems, toTextMap } from '../translations/texts.rules.ts'
import type {
  MatrixPart,
  NewOption,
  NewRules,
  QuestionOption,
  QuestionRules,
  QuestionType,
} from './questions.schemas.ts'

type RuleName = keyof NewRules

const defaults: Record<QuestionType, QuestionRules> = {
  nps: { labels: { low: {}, high: {} } },
  csat: { labels: { low: {}, high: {} } },
  ces: { labels: { low: {}, high: {} } },
  rating: { labels: { low: {}, high: {} }, scale: 5, shape: 'star' },
  single_choice: { allow_other: false, shuffle: false, display: 'radio' },
  multiple_choice: { allow_other: false, shuffle: false, min_selected: 0, max_selected: null },
  ranking: { rank_all: true, shuffle: false },
  matrix: { rows: [], columns: [] },
  short_text: { max_length: 500, format: 'any' },
  long_text: { max_length: 5_000 },
  number: { min: null, max: null, decimals: 0 },
  date: { min: null, max: null },
  email: {},
  yes_no: {},
  consent: {},
  statement: {},
}

export const choiceTypes: readonly QuestionType[] = ['single_choice', 'multiple_choice', 'ranking']
export const liveOptions = <Option extends { archived?: boolean }>(options: readonly Option[]): Option[] =>
  options.filter(({ archived }) => !archived)

type Report = (path: string, code: string, message: string) => void

function collectProblems(work: (report: Report) => void): InputError[] {
  const problems: InputError[] = []
  work((path, code, message) => problems.push({ in: 'body', path, code, message }))
  return problems
}

/** Rules of the current type are kept unless the request changes them; those of another type are dropped. */
export function mergeRules(
  type: QuestionType,
  input: NewRules,
  { languages, current = {} }: { languages: Languages; current?: QuestionRules },
): QuestionRules {
  const merged: Record<string, unknown> = {}
  for (const [name, fallback] of Object.entries(defaults[type])) {
    const given = input[name as RuleName]
    const kept = current[name as RuleName] ?? fallback
    merged[name] = given === undefined ? kept : given
  }
  const toPart = ({ key, label }: { key: string; label: MatrixPart['label'] | string }): MatrixPart => ({
    key,
    label: toTextMap(label, languages),
  })
  const { labels, rows, columns } = input
  if (labels && 'labels' in merged)
    merged.labels = { low: toTextMap(labels.low ?? null, languages), high: toTextMap(labels.high ?? null, languages) }
  if (rows && 'rows' in merged) merged.rows = rows.map(toPart)
  if (columns && 'columns' in merged) merged.columns = columns.map(toPart)
  return merged as QuestionRules
}

export const toOptions = (input: readonly NewOption[], languages: Languages): QuestionOption[] =>
  input.map(({ key, label, exclusive = false }) => ({
    key,
    label: toTextMap(label, languages),
    exclusive,
    archived: false,
  }))

type Checked = { question_type: QuestionType; options: readonly QuestionOption[]; rules: QuestionRules }

export function listRuleProblems(
  { question_type: type, options, rules }: Checked,
  given: NewRules | undefined,
  languages: Languages,
): InputError[] {
  const textProblems = [
    ...options.flatMap(({ label }, index) => listLanguageProblems(`/options/${index}/label`, label, languages)),
    ...(['rows', 'columns'] as const).flatMap((name) =>
      (rules[name] ?? []).flatMap(({ label }, index) =>
        listLanguageProblems(`/rules/${name}/${index}/label`, label, languages),
      ),
    ),
    ...(['low', 'high'] as const).flatMap((end) =>
      listLanguageProblems(`/rules/labels/${end}`, rules.labels?.[end] ?? {}, languages),
    ),
  ]
  const structure = collectProblems((report) => {
    for (const name of Object.keys(given ?? {}))
      if (!(name in defaults[type])) report(`/rules/${name}`, 'not_allowed', `\`${name}\` is not a rule of ${type}.`)
    reportOptionProblems(type, options, report)
    reportRangeProblems(type, rules, report)
    for (const name of ['rows', 'columns'] as const)
      if (type === 'matrix' && !rules[name]?.length)
        report(`/rules/${name}`, 'required', `\`${name}\` is required for a matrix.`)
      else reportRepeatedKeys(`/rules/${name}`, rules[name] ?? [], report)
  })
  return [...structure, ...textProblems]
}

function reportOptionProblems(type: QuestionType, options: readonly QuestionOption[], report: Report): void {
  const count = liveOptions(options).length
  if (!choiceTypes.includes(type)) {
    if (count) report('/options', 'not_allowed', `\`options\` must be empty for ${type}.`)
    return
  }
  if (count < 2 || count > 50) report('/options', 'min_items', '`options` must have 2 to 50 options.')
  reportRepeatedKeys('/options', options, report)
  for (const [index, { exclusive }] of options.entries())
    if (exclusive && type !== 'multiple_choice')
      report(`/options/${index}/exclusive`, 'not_allowed', '`exclusive` is only allowed for multiple_choice.')
}

function reportRepeatedKeys(path: string, parts: readonly { key: string }[], report: Report): void {
  for (const [index, { key }] of parts.entries())
    if (parts.findIndex((part) => part.key === key) < index)
      report(`${path}/${index}/key`, 'unique', '`key` must not be used twice.')
}

function reportRangeProblems(type: QuestionType, rules: QuestionRules, report: Report): void {
  const { min = null, max = null, min_selected = 0, max_selected = null, max_length = 0 } = rules
  const wanted = type === 'date' ? 'string' : 'number'
  for (const [name, value] of [['min', min] as const, ['max', max] as const])
    if (value !== null && typeof value !== wanted)
      report(`/rules/${name}`, 'type', `\`${name}\` must be a ${type === 'date' ? 'day' : 'number'}.`)
  if (min !== null && max !== null && typeof min === typeof max && min > max)
    report('/rules/max', 'minimum', '`max` must not be less than `min`.')
  if (max_selected !== null && max_selected < min_selected)
    report('/rules/max_selected', 'minimum', '`max_selected` must not be less than `min_selected`.')
  if (type === 'short_text' && max_length > 500)
    report('/rules/max_length', 'maximum', '`max_length` of a short text must not exceed 500.')
}
