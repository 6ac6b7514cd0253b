import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type ComparisonOperator,
  type DaySpan,
  type FactLeaf,
  type FieldLeaf,
  type FieldPredicate,
  type PredicateOf,
  type Rule,
  toCalendarDays,
  toInstants,
} from './rule.rules.ts'
import {
  type ColumnExpression,
  columnExpression,
  foldAccentsSql,
  foldCaseSql,
  normalizeWordsSql,
} from './rule-columns.queries.ts'
import { foldCase } from './text-folding.rules.ts'
import type { RuleContext, RuleField } from './vocabulary.rules.ts'

export type RuleTable = { alias: string; objectType: string }

type Condition = RawBuilder<SqlBool>
type SqlTarget = { table: RuleTable; context: RuleContext; usesSets: boolean }

export type CompileOptions = {
  /** Facts that every matching record satisfies become `id in (select …)`, which is faster than a check of each of many records. */
  usesSets?: boolean
}

/** Compiles a rule to a WHERE condition. NULL is false there, so only negations need COALESCE; plain conditions stay indexable. */
export function ruleCondition(
  rule: Rule,
  table: RuleTable,
  context: RuleContext,
  { usesSets = false }: CompileOptions = {},
): Expression<SqlBool> {
  return compileRule(rule, { table, context, usesSets })
}

function compileRule(rule: Rule, target: SqlTarget): Condition {
  switch (rule.kind) {
    case 'all':
      return compileGroup(rule.parts, target, sql` and `)
    case 'any':
      return compileGroup(rule.parts, { ...target, usesSets: false }, sql` or `)
    case 'not':
      return negate(compileRule(rule.part, { ...target, usesSets: false }))
    case 'field':
      return compileLeaf(rule, target)
    case 'fact':
      return compileFact(rule, target)
  }
}

function compileFact(leaf: FactLeaf, { table, context, usesSets }: SqlTarget): Condition {
  const id = recordIdOf(table)
  const set = usesSets ? recordsOf(leaf, table, context) : undefined
  const rowForm = () => sql<SqlBool>`(${leaf.fact.compile(leaf.params as never, { ...context, ...table, id })})`
  if (!set) return rowForm()
  const isMember = sql<SqlBool>`${id} in (${set.records})`
  return set.isExact ? isMember : sql<SqlBool>`(${isMember} and ${rowForm()})`
}

export const recordsOf = (
  { fact, params }: FactLeaf,
  { objectType }: Pick<RuleTable, 'objectType'>,
  context: RuleContext,
) => fact.select?.(params as never, { ...context, objectType })

function compileGroup(parts: readonly Rule[], target: SqlTarget, operator: RawBuilder<unknown>): Condition {
  if (!parts.length) return sql<SqlBool>`true`
  const conditions = parts.map((part) => compileRule(part, target))
  return sql<SqlBool>`(${sql.join(conditions, operator)})`
}

const negate = (condition: Condition): Condition => sql<SqlBool>`not coalesce(${condition}, false)`

const recordIdOf = ({ alias }: RuleTable) => sql.ref<string>(`${alias}.id`)

function compileLeaf({ field, predicate, isNegative }: FieldLeaf, target: SqlTarget): Condition {
  const condition = sql<SqlBool>`(${compilePredicate(predicate, field, target)})`
  return isNegative ? negate(condition) : condition
}

function compilePredicate(predicate: FieldPredicate, field: RuleField, { table, context }: SqlTarget): Condition {
  const column = columnExpression(field, table.alias)
  switch (predicate.type) {
    case 'is_set':
      return isSet(column, field)
    case 'is_true':
      return sql<SqlBool>`${column.value}`
    case 'is_me':
      return isOneOf(column, field, table, context.me === null ? [] : [context.me])
    case 'is_one_of':
      return isOneOf(column, field, table, predicate.values)
    case 'starts_with':
      return sql<SqlBool>`starts_with(${foldCaseSql(field, table.alias)}, ${foldCase(predicate.text)}::text)`
    case 'contains':
      return sql<SqlBool>`strpos(${foldCaseSql(field, table.alias)}, ${foldCase(predicate.text)}::text) > 0`
    case 'has_any_phrase':
      return hasAnyPhrase(column, predicate.phrases)
    case 'within_bounds':
      return allConditions(
        predicate.bounds.map(
          ({ operator, value }) => sql`${column.value} ${comparisons[operator]} ${bindNumber(value)}`,
        ),
      )
    case 'on_days':
      return field.type === 'date' ? isOnDays(column, predicate, context) : isInstantOnDays(column, predicate, context)
    case 'contains_values':
      return containsValues(column, field, table, predicate)
  }
}

const allConditions = (conditions: RawBuilder<unknown>[]): Condition =>
  conditions.length ? sql<SqlBool>`${sql.join(conditions, sql` and `)}` : sql<SqlBool>`true`

function isSet({ value, isJson }: ColumnExpression, { type }: RuleField): Condition {
  if (type === 'multi_select' || type === 'tags')
    return isJson ? sql`jsonb_array_length(${value}) > 0` : sql`cardinality(${value}) > 0`
  const isText = type === 'text' || type === 'select' || isJson
  return isText ? sql`${value}::text <> ''` : sql`${value} is not null`
}

function isOneOf(
  { value, isJson }: ColumnExpression,
  field: RuleField,
  { alias }: RuleTable,
  values: readonly string[],
): Condition {
  if (field.type === 'text') return sql`${foldCaseSql(field, alias)} = any (${values.map(foldCase)}::text[])`
  const isId = (field.type === 'user' || field.type === 'reference') && !isJson
  return isId ? sql`${value} = any (${values}::uuid[])` : sql`${value} = any (${values}::text[])`
}

/** Tokenizing is expensive, so the first word is pre-filtered with LIKE. Normalized words contain no wildcards. */
function hasAnyPhrase({ value }: ColumnExpression, phrases: readonly string[]): Condition {
  const firstWords = phrases.map((phrase) => `%${phrase.split(' ')[0]}%`)
  const wholePhrases = phrases.map((phrase) => `% ${phrase} %`)
  return sql`case when (${foldAccentsSql(value)}) like any (${firstWords}::text[])
    then ${normalizeWordsSql(value)} like any (${wholePhrases}::text[]) end`
}

export const comparisons: Record<ComparisonOperator, RawBuilder<unknown>> = {
  '=': sql`=`,
  '>': sql`>`,
  '>=': sql`>=`,
  '<': sql`<`,
  '<=': sql`<=`,
}

/** Binds integers as bigint; an index on an integer column cannot be used with a double. */
const bindNumber = (value: number) =>
  Number.isInteger(value) ? sql`${value}::bigint` : sql`${value}::double precision`

function isOnDays(column: ColumnExpression, span: DaySpan, context: RuleContext): Condition {
  const { from, through } = toCalendarDays(span, context)
  return allConditions([
    ...(from ? [sql`${sortableTime(column)} >= ${bindTime(column, from, sql`date`)}`] : []),
    ...(through ? [sql`${sortableTime(column)} <= ${bindTime(column, through, sql`date`)}`] : []),
  ])
}

/** Compares instants, because a day computed from the column could not use its index. */
function isInstantOnDays(column: ColumnExpression, span: DaySpan, context: RuleContext): Condition {
  const { since, until } = toInstants(span, context)
  return allConditions([
    ...(since ? [sql`${sortableTime(column)} >= ${bindTime(column, since, sql`timestamptz`)}`] : []),
    ...(until ? [sql`${sortableTime(column)} < ${bindTime(column, until, sql`timestamptz`)}`] : []),
  ])
}

const sortableTime = ({ value, isJson }: ColumnExpression) => (isJson ? sql`${value} collate "C"` : value)

const bindTime = ({ isJson }: ColumnExpression, text: string, type: RawBuilder<unknown>) =>
  sql`${text}::${isJson ? sql`text` : type}`

function containsValues(
  { value, isJson }: ColumnExpression,
  field: RuleField,
  table: RuleTable,
  { values, needsAll }: PredicateOf<'contains_values'>,
): Condition {
  if (field.type === 'tags' && field.hasAnyTag) {
    const recordId = sql.ref<string>(`${field.joinAlias ?? table.alias}.id`)
    const groups = needsAll ? values.map((one) => [one]) : [values]
    return allConditions(groups.map((group) => sql`${field.hasAnyTag!(group, recordId)}`))
  }
  if (isJson) return needsAll ? sql`${value} ?& ${values}::text[]` : sql`${value} ?| ${values}::text[]`
  return needsAll ? sql`${value} @> ${values}::text[]` : sql`${value} && ${values}::text[]`
}
