import { caseless, wordsOf } from './caseless.rules.ts'
import { calendarDays, instants } from './days.rules.ts'
import type { Bound, FieldLeaf, Rule, Test } from './rule.rules.ts'
import { type Asker, type Field, jsonKinds } from './vocabulary.rules.ts'

/** A row as the database hands it over: columns by name, jsonb and joined rows as objects. */
export type RuleRecord = Readonly<Record<string, unknown>>

/** Whether a record is meant by a rule. Says exactly what `ruleCondition` says in SQL, for rules without facts. */
export function matches(rule: Rule, record: RuleRecord, asker: Asker): boolean {
  switch (rule.kind) {
    case 'all':
      return rule.parts.every((part) => matches(part, record, asker))
    case 'any':
      return rule.parts.some((part) => matches(part, record, asker))
    case 'not':
      return !matches(rule.part, record, asker)
    case 'field':
      return passes(rule, record, asker)
    case 'fact':
      throw new Error(`The fact ${rule.fact.name} can only be asked of the database.`)
  }
}

function passes({ field, test, isNegative }: FieldLeaf, record: RuleRecord, asker: Asker): boolean {
  const value = readField(field, record)
  const isYes = value !== null && value !== undefined && answer(test, field, value, asker)
  return isYes !== isNegative
}

function readField({ column, of, jsonKey, type }: Field, record: RuleRecord): unknown {
  const row = of === undefined ? record : member(record, of)
  const value = member(row, column)
  if (jsonKey === undefined) return value
  const json = member(value, jsonKey)
  return kindOf(json) === jsonKinds[type] ? json : undefined
}

const kindOf = (json: unknown) => (Array.isArray(json) ? 'array' : typeof json)

const member = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? (object as RuleRecord)[name]
    : undefined

function answer(test: Test, field: Field, value: unknown, asker: Asker): boolean {
  switch (test.asks) {
    case 'is_set':
      return Array.isArray(value) ? value.length > 0 : value !== ''
    case 'is_true':
      return value === true
    case 'is_me':
      return value === asker.me
    case 'is_one_of':
      return isOneOf(value, test.values, field)
    case 'starts_with':
      return typeof value === 'string' && caseless(value).startsWith(caseless(test.text))
    case 'contains':
      return typeof value === 'string' && caseless(value).includes(caseless(test.text))
    case 'has_phrase':
      return typeof value === 'string' && hasPhrase(wordsOf(value), test.phrases)
    case 'compares':
      return typeof value === 'number' && test.bounds.every((bound) => holds(value, bound))
    case 'falls_on':
      return field.type === 'date' ? isOnDay(value, test, asker) : isAtInstant(value, test, asker)
    case 'carries':
      return Array.isArray(value) && carries(value, test)
  }
}

function isOneOf(value: unknown, values: readonly string[], { type }: Field): boolean {
  if (typeof value !== 'string') return false
  if (type !== 'text') return values.includes(value)
  const given = caseless(value)
  return values.some((one) => caseless(one) === given)
}

/** Whether any of the phrases stands in the words, whole. */
export const hasPhrase = (words: string, phrases: readonly string[]) =>
  phrases.some((phrase) => words.includes(` ${phrase} `))

const carries = (held: unknown[], { values, every }: Test & { asks: 'carries' }) =>
  every ? values.every((value) => held.includes(value)) : values.some((value) => held.includes(value))

function holds(value: number, { is, than }: Bound): boolean {
  switch (is) {
    case '=':
      return value === than
    case '>':
      return value > than
    case '>=':
      return value >= than
    case '<':
      return value < than
    case '<=':
      return value <= than
  }
}

/** Days in this form sort like text. */
function isOnDay(value: unknown, span: Test & { asks: 'falls_on' }, asker: Asker): boolean {
  if (typeof value !== 'string') return false
  const { from, through } = calendarDays(span, asker)
  return (!from || value >= from) && (!through || value <= through)
}

/** A Date out of a column, text out of jsonb; written out in UTC with milliseconds both sort like text. */
function isAtInstant(value: unknown, span: Test & { asks: 'falls_on' }, asker: Asker): boolean {
  const instant = value instanceof Date ? value.toISOString() : String(value)
  const { since, until } = instants(span, asker)
  return (!since || instant >= since) && (!until || instant < until)
}
