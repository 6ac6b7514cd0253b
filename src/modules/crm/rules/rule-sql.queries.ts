import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { caseless } from './caseless.rules.ts'
import { calendarDays, instants } from './days.rules.ts'
import type { Comparison, FieldLeaf, Rule, Test } from './rule.rules.ts'
import { type Column, columnOf, lowerCased, unaccented, wordsIn } from './rule-columns.queries.ts'
import type { Asker, Field } from './vocabulary.rules.ts'

/** The table a rule is asked of, under the name the statement gives it. */
export type RuleTable = { alias: string; objectType: string }

type Condition = RawBuilder<SqlBool>
type Span = Test & { asks: 'falls_on' }
type Question = { table: RuleTable; asker: Asker }

/**
 * A rule as a condition for WHERE. What is unknown counts as false there, so only what is turned round needs to be settled
 * first; a plain leaf stays one that an index can answer. Names come from the catalogue, everything else is bound.
 */
export function ruleCondition(rule: Rule, table: RuleTable, asker: Asker): Expression<SqlBool> {
  return compile(rule, { table, asker })
}

function compile(rule: Rule, question: Question): Condition {
  switch (rule.kind) {
    case 'all':
      return joined(rule.parts, question, sql` and `)
    case 'any':
      return joined(rule.parts, question, sql` or `)
    case 'not':
      return opposite(compile(rule.part, question))
    case 'field':
      return leaf(rule, question)
    case 'fact': {
      const { table, asker } = question
      const subject = { ...asker, ...table, id: recordId(table) }
      return sql<SqlBool>`(${rule.fact.compile(rule.params as never, subject)})`
    }
  }
}

function joined(parts: readonly Rule[], question: Question, by: RawBuilder<unknown>): Condition {
  if (!parts.length) return sql<SqlBool>`true`
  const conditions = parts.map((part) => compile(part, question))
  return sql<SqlBool>`(${sql.join(conditions, by)})`
}

const opposite = (condition: Condition): Condition => sql<SqlBool>`not coalesce(${condition}, false)`

const recordId = ({ alias }: RuleTable) => sql.ref<string>(`${alias}.id`)

function leaf({ field, test, isNegative }: FieldLeaf, question: Question): Condition {
  const condition = sql<SqlBool>`(${asked(test, field, question)})`
  return isNegative ? opposite(condition) : condition
}

function asked(test: Test, field: Field, { table, asker }: Question): Condition {
  const column = columnOf(field, table.alias)
  switch (test.asks) {
    case 'is_set':
      return isSet(column, field)
    case 'is_true':
      return sql<SqlBool>`${column.value}`
    case 'is_me':
      return isOneOf(column, field, table, asker.me === null ? [] : [asker.me])
    case 'is_one_of':
      return isOneOf(column, field, table, test.values)
    case 'starts_with':
      return sql<SqlBool>`starts_with(${lowerCased(field, table.alias)}, ${caseless(test.text)}::text)`
    case 'contains':
      return sql<SqlBool>`strpos(${lowerCased(field, table.alias)}, ${caseless(test.text)}::text) > 0`
    case 'has_phrase':
      return hasPhrase(column, test.phrases)
    case 'compares':
      return every(test.bounds.map(({ is, than }) => sql`${column.value} ${comparisons[is]} ${amount(than)}`))
    case 'falls_on':
      return field.type === 'date' ? isOnDay(column, test, asker) : isAtInstant(column, test, asker)
    case 'carries':
      return carries(column, field, table, test)
  }
}

const every = (conditions: RawBuilder<unknown>[]): Condition =>
  conditions.length ? sql<SqlBool>`${sql.join(conditions, sql` and `)}` : sql<SqlBool>`true`

function isSet({ value, isJson }: Column, { type }: Field): Condition {
  if (type === 'multi_select' || type === 'tags')
    return isJson ? sql`jsonb_array_length(${value}) > 0` : sql`cardinality(${value}) > 0`
  const isText = type === 'text' || type === 'select' || isJson
  return isText ? sql`${value}::text <> ''` : sql`${value} is not null`
}

function isOneOf({ value, isJson }: Column, field: Field, { alias }: RuleTable, values: readonly string[]): Condition {
  if (field.type === 'text') return sql`${lowerCased(field, alias)} = any (${values.map(caseless)}::text[])`
  const isId = (field.type === 'user' || field.type === 'reference') && !isJson
  return isId ? sql`${value} = any (${values}::uuid[])` : sql`${value} = any (${values}::text[])`
}

/** Taking a text apart is dear, so only one that has the letters of a first word in it is. There is no wildcard in a word. */
function hasPhrase({ value }: Column, phrases: readonly string[]): Condition {
  const letters = phrases.map((phrase) => `%${phrase.split(' ')[0]}%`)
  const whole = phrases.map((phrase) => `% ${phrase} %`)
  return sql`case when (${unaccented(value)}) like any (${letters}::text[])
    then ${wordsIn(value)} like any (${whole}::text[]) end`
}

const comparisons: Record<Comparison, RawBuilder<unknown>> = {
  '=': sql`=`,
  '>': sql`>`,
  '>=': sql`>=`,
  '<': sql`<`,
  '<=': sql`<=`,
}

/** A whole number is bound as one, since an index of whole numbers answers nothing else. */
const amount = (than: number) => (Number.isInteger(than) ? sql`${than}::bigint` : sql`${than}::double precision`)

function isOnDay(column: Column, span: Span, asker: Asker): Condition {
  const { from, through } = calendarDays(span, asker)
  return every([
    ...(from ? [sql`${inTime(column)} >= ${moment(column, from, sql`date`)}`] : []),
    ...(through ? [sql`${inTime(column)} <= ${moment(column, through, sql`date`)}`] : []),
  ])
}

/** Instants are compared, not days reckoned from them: so an index can answer. */
function isAtInstant(column: Column, span: Span, asker: Asker): Condition {
  const { since, until } = instants(span, asker)
  return every([
    ...(since ? [sql`${inTime(column)} >= ${moment(column, since, sql`timestamptz`)}`] : []),
    ...(until ? [sql`${inTime(column)} < ${moment(column, until, sql`timestamptz`)}`] : []),
  ])
}

/** In jsonb days and instants are text, which sorts like time if it is sorted by its bytes. */
const inTime = ({ value, isJson }: Column) => (isJson ? sql`${value} collate "C"` : value)

const moment = ({ isJson }: Column, written: string, type: RawBuilder<unknown>) =>
  sql`${written}::${isJson ? sql`text` : type}`

function carries(
  { value, isJson }: Column,
  field: Field,
  table: RuleTable,
  test: Test & { asks: 'carries' },
): Condition {
  const { values, every: needsAll } = test
  if (field.type === 'tags' && field.carriedBy) {
    const groups = needsAll ? values.map((one) => [one]) : [values]
    return every(groups.map((group) => sql`${field.carriedBy!(group, recordId(table))}`))
  }
  if (isJson) return needsAll ? sql`${value} ?& ${values}::text[]` : sql`${value} ?| ${values}::text[]`
  return needsAll ? sql`${value} @> ${values}::text[]` : sql`${value} && ${values}::text[]`
}
