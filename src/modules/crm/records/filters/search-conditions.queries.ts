import { type SqlBool, sql } from 'kysely'
import { type Condition, type TenantTx, toSearchWords } from '#platform/db'
import type { TaggableType } from '../fields/tags.queries.ts'

export const maxMatches = 10_000
const maxWords = 5

const tables = {
  lead: 'crm.leads',
  contact: 'crm.contacts',
  account: 'crm.accounts',
  opportunity: 'crm.opportunities',
} as const satisfies Record<TaggableType, string>

export const searchWords = (search: string | undefined) => (search ? toSearchWords(search).slice(0, maxWords) : [])

/** Returns a condition on the matching ids if they are few, otherwise `test`, which is checked for each scanned row. */
export async function selectiveCondition(
  tx: TenantTx,
  type: TaggableType,
  { matches, test }: { matches: Condition; test: Condition },
): Promise<Condition> {
  const limited = sql<{ id: string }>`(${matches} limit ${sql.lit(maxMatches + 1)})`
  const rows = await tx.selectFrom(limited.as('match')).select('match.id').execute()
  const ids = rows.map(({ id }) => id)
  return ids.length > maxMatches ? test : sql`${sql.ref(`${tables[type]}.id`)} = any (${ids}::uuid[])`
}

/** Selects records whose search text contains all words: one more than fit into a list of ids, and no deleted ones. */
export const selectSearchedIds = (type: TaggableType, words: readonly string[]) =>
  sql<SqlBool>`select found as id
    from crm.search_records(${sql.lit(type)}, ${words}::text[], ${sql.lit(maxMatches + 1)}) as found`

/** Returns the ids of the matching records, at most `maxMatches` of them; undefined if the search has no words. */
export async function findSearchedIds(
  tx: TenantTx,
  type: TaggableType,
  search: string | undefined,
): Promise<string[] | undefined> {
  const words = searchWords(search)
  if (!words.length) return undefined
  const matches = sql<{ id: string }>`(${selectSearchedIds(type, words)} limit ${sql.lit(maxMatches)})`
  const rows = await tx.selectFrom(matches.as('match')).select('match.id').execute()
  return rows.map(({ id }) => id)
}

/** `hasManyMatches` is set if it is already known that the search matches too many records for a list of ids. */
type SearchFilter = { search?: string; hasManyMatches?: boolean; tag?: string; include_deleted?: boolean }

/** The tests are wrapped in coalesce(): as plain conditions they make the planner underestimate the rows and sort all of them. */
export async function searchConditions(
  tx: TenantTx,
  type: TaggableType,
  { search, hasManyMatches, tag, include_deleted }: SearchFilter,
): Promise<Condition[]> {
  const table = tables[type]
  const words = searchWords(search)
  const conditions: Condition[] = []
  if (words.length) {
    const text = sql.ref(`${table}.search_text`)
    const test = sql<SqlBool>`coalesce(${text} like all ((select crm.search_patterns(${words}::text[]))::text[]), false)`
    const matches = selectSearchedIds(type, words)
    const isTested = hasManyMatches || include_deleted
    conditions.push(isTested ? test : await selectiveCondition(tx, type, { matches, test }))
  }
  if (tag) {
    const hasTag = sql<SqlBool>`entity_type = ${type} and tag = ${tag}`
    const id = sql.ref(`${table}.id`)
    const matches = sql<SqlBool>`select record_id as id from crm.record_tags where ${hasTag}`
    const test = sql<SqlBool>`coalesce((select true from crm.record_tags where ${hasTag} and record_id = ${id}), false)`
    conditions.push(await selectiveCondition(tx, type, { matches, test }))
  }
  return conditions
}
