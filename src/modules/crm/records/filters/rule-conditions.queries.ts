import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Condition, TenantTx } from '#platform/db'
import type { RuleContext, RuleField } from '#platform/rules'
import {
  type ComparisonOperator,
  type CompileOptions,
  comparisons,
  type FactLeaf,
  type FieldLeaf,
  type FieldPredicate,
  leavesOf,
  type PredicateOf,
  type Rule,
  recordsOf,
  ruleCondition,
  toCalendarDays,
  toInstants,
} from '#platform/rules'
import { recordTables } from '../custom-values/custom-values.queries.ts'
import { maxIndexedText, toIndexText } from '../custom-values/index-entries.rules.ts'
import type { TaggableType } from '../fields/tags.queries.ts'
import type { ListRule } from './list-rule.service.ts'
import { searchWords, selectiveCondition, selectSearchedIds } from './search-conditions.queries.ts'

const maxIndexedConditions = 5
const minSearchedLength = 3

/**
 * Conditions of a rule. Those on custom fields, tags and facts that match few records become id lists, read from their index; with
 * `usesSets` also parts of searched texts, which are not indexed for deleted records.
 */
export async function ruleConditions(
  tx: TenantTx,
  type: TaggableType,
  { rule, context }: Pick<ListRule, 'rule' | 'context'>,
  options?: CompileOptions,
): Promise<Condition[]> {
  const condition = ruleCondition(rule, { alias: recordTables[type], objectType: type }, context, options)
  // The planner underestimates conditions on jsonb and would sort all matches instead of scanning in list order.
  const conditions: Condition[] = [usesOnlyCustomFields(rule) ? sql`coalesce(${condition}, false)` : condition]
  const id = sql.ref(`${recordTables[type]}.id`)
  const target = { objectType: type, context, usesSets: options?.usesSets === true }
  for (const { matches, large } of indexedMatches(rule, target).slice(0, maxIndexedConditions)) {
    const test =
      large === 'set' && target.usesSets
        ? sql<SqlBool>`${id} in (select matching.id from (${matches}) as matching)`
        : sql<SqlBool>`true`
    conditions.push(await selectiveCondition(tx, type, { matches, test }))
  }
  return conditions
}

const usesOnlyCustomFields = (rule: Rule): boolean =>
  leavesOf(rule).every((leaf) => leaf.kind === 'field' && leaf.field.column === 'custom')

/**
 * A statement that selects all records that can satisfy the rule, and possibly others. A large set is joined, unless the rule's
 * condition already joins it (`joined`) or it is not complete (`capped`).
 */
type IndexedMatches = { matches: RawBuilder<SqlBool>; large: 'set' | 'joined' | 'capped' }
type Target = { objectType: TaggableType; context: RuleContext; usesSets: boolean }

function indexedMatches(rule: Rule, target: Target): IndexedMatches[] {
  if (rule.kind === 'all') return rule.parts.flatMap((part) => indexedMatches(part, target))
  if (rule.kind === 'field') return leafMatches(rule, target)
  if (rule.kind === 'fact') return factMatches(rule, target)
  if (rule.kind !== 'any') return []
  const parts = rule.parts.flatMap((part) => indexedMatches(part, target).slice(0, 1))
  if (parts.length < rule.parts.length) return []
  const union = sql.join(
    parts.map(({ matches }) => matches),
    sql` union all `,
  )
  return [{ matches: sql`${union}`, large: parts.some(({ large }) => large === 'capped') ? 'capped' : 'set' }]
}

function factMatches(leaf: FactLeaf, { objectType, context }: Target): IndexedMatches[] {
  const set = recordsOf(leaf, { objectType }, context)
  return set ? [{ matches: sql`(select record_id as id from (${set.records}) as matching)`, large: 'joined' }] : []
}

function leafMatches({ field, predicate, isNegative }: FieldLeaf, target: Target): IndexedMatches[] {
  const { objectType, context, usesSets } = target
  if (isNegative || field.joinAlias) return []
  if (field.type === 'tags' && field.hasAnyTag && predicate.type === 'contains_values')
    return [{ matches: recordsWithTags(objectType, predicate), large: 'set' }]
  if (field.type === 'text' && field.isSearched && predicate.type === 'contains' && usesSets)
    return searchMatches(predicate.text, objectType)
  if (!field.index) return []
  const condition = indexCondition(predicate, field, context)
  if (!condition) return []
  const { fieldId } = field.index
  const matches = sql<SqlBool>`(
    select record_id as id from crm.custom_field_index where field_id = ${fieldId}::uuid and ${condition})`
  return [{ matches, large: 'set' }]
}

const asciiText = /^[ -~]+$/

/** Search texts have no accents. Only a part in ASCII is contained in the search text whenever the field contains it. */
function searchMatches(part: string, type: TaggableType): IndexedMatches[] {
  const words = asciiText.test(part) ? searchWords(part).filter((word) => word.length >= minSearchedLength) : []
  return words.length ? [{ matches: sql`(${selectSearchedIds(type, words)})`, large: 'capped' }] : []
}

/** Selects candidates by the first tag if a record must have all of them. */
function recordsWithTags(
  type: TaggableType,
  { values, needsAll }: PredicateOf<'contains_values'>,
): RawBuilder<SqlBool> {
  const tags = needsAll ? values.slice(0, 1) : values
  return sql`(select record_id as id from crm.record_tags where entity_type = ${type} and tag = any (${tags}::text[]))`
}

type IndexCondition = RawBuilder<unknown> | undefined

function indexCondition(predicate: FieldPredicate, field: RuleField, context: RuleContext): IndexCondition {
  switch (predicate.type) {
    case 'is_set':
      return sql`true`
    case 'is_true':
      return sql`txt = 'true'`
    case 'is_me':
      return sql`txt = ${context.me}::text`
    case 'is_one_of':
      return isAnyText(field.type === 'text' ? predicate.values.map(toIndexText) : predicate.values)
    case 'contains_values':
      return isAnyText(predicate.values)
    case 'starts_with':
      return startsWith(toIndexText(predicate.text))
    case 'within_bounds':
      return isWithin(
        'num',
        predicate.bounds.map(({ operator, value }) => [operator, sql`${value}::double precision`]),
      )
    case 'on_days':
      return isOnDays(predicate, field, context)
    default:
      return undefined
  }
}

const isAnyText = (values: readonly string[]) => sql`txt = any (${values}::text[])`

const lastCharacter = '\u{10ffff}'

const startsWith = (prefix: string): IndexCondition =>
  prefix.length < maxIndexedText ? sql`txt >= ${prefix} and txt < ${prefix + lastCharacter}` : undefined

const isWithin = (
  column: string,
  bounds: [operator: ComparisonOperator, value: RawBuilder<unknown>][],
): IndexCondition =>
  bounds.length
    ? sql.join(
        bounds.map(([operator, value]) => sql`${sql.ref(column)} ${comparisons[operator]} ${value}`),
        sql` and `,
      )
    : undefined

function isOnDays(
  span: FieldPredicate & { type: 'on_days' },
  { type }: RuleField,
  context: RuleContext,
): IndexCondition {
  const instant = (text: string) => sql`${text}::timestamptz`
  if (type === 'date') {
    const { from, through } = toCalendarDays(span, context)
    return isWithin('ts', [
      ...(from ? [['>=', instant(`${from}T00:00:00Z`)] as [ComparisonOperator, RawBuilder<unknown>]] : []),
      ...(through ? [['<=', instant(`${through}T00:00:00Z`)] as [ComparisonOperator, RawBuilder<unknown>]] : []),
    ])
  }
  const { since, until } = toInstants(span, context)
  return isWithin('ts', [
    ...(since ? [['>=', instant(since)] as [ComparisonOperator, RawBuilder<unknown>]] : []),
    ...(until ? [['<', instant(until)] as [ComparisonOperator, RawBuilder<unknown>]] : []),
  ])
}
