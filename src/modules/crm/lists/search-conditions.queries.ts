import { type SqlBool, sql } from 'kysely'
import { type TenantTx, toSearchWords } from '#platform/db'
import type { TaggableType } from '../records/tags.queries.ts'
import type { Condition } from './keyset-page.queries.ts'

const maxMatches = 10_000
const maxWords = 5

const tables = {
  lead: { table: 'crm.leads', search: 'crm.search_leads' },
  contact: { table: 'crm.contacts', search: 'crm.search_contacts' },
  account: { table: 'crm.accounts', search: 'crm.search_accounts' },
  opportunity: { table: 'crm.opportunities', search: 'crm.search_opportunities' },
} as const satisfies Record<TaggableType, object>

/** Returns a condition on the matching ids if they are few, otherwise `test`, which is checked for each scanned row. */
export async function selectiveCondition(
  tx: TenantTx,
  type: TaggableType,
  { matches, test }: { matches: Condition; test: Condition },
): Promise<Condition> {
  const limited = sql<{ id: string }>`(${matches} limit ${sql.lit(maxMatches + 1)})`
  const rows = await tx.selectFrom(limited.as('match')).select('match.id').execute()
  const ids = rows.map(({ id }) => id)
  return ids.length > maxMatches ? test : sql`${sql.ref(`${tables[type].table}.id`)} = any (${ids}::uuid[])`
}

type SearchFilter = { search?: string; tag?: string; include_deleted?: boolean }

/** The tests are wrapped in coalesce(): as plain conditions they make the planner underestimate the rows and sort all of them. */
export async function searchConditions(
  tx: TenantTx,
  type: TaggableType,
  { search, tag, include_deleted }: SearchFilter,
): Promise<Condition[]> {
  const { table, search: searchFunction } = tables[type]
  const words = search ? toSearchWords(search).slice(0, maxWords) : []
  const conditions: Condition[] = []
  if (words.length) {
    const text = sql.ref(`${table}.search_text`)
    const test = sql<SqlBool>`coalesce(${text} like all ((select crm.search_patterns(${words}::text[]))::text[]), false)`
    const matches = sql<SqlBool>`select found as id from ${sql.table(searchFunction)}(${words}::text[], ${sql.lit(maxMatches + 1)}) as found`
    // The search functions do not return deleted records.
    conditions.push(include_deleted ? test : await selectiveCondition(tx, type, { matches, test }))
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
