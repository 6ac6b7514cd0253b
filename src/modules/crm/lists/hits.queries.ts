import { type SqlBool, sql } from 'kysely'
import { searchWords, type TenantTx } from '#platform/db'
import type { TaggedType } from '../persons/tags.queries.ts'
import type { Condition } from './walk.queries.ts'

const mostHits = 10_000
const maxWords = 5

const tables = {
  lead: { table: 'crm.leads', search: 'crm.search_leads' },
  contact: { table: 'crm.contacts', search: 'crm.search_contacts' },
  account: { table: 'crm.accounts', search: 'crm.search_accounts' },
  opportunity: { table: 'crm.opportunities', search: 'crm.search_opportunities' },
} as const satisfies Record<TaggedType, object>

/**
 * What no index walks in the order of a list. Where `hits` are few records these are found first, and the list is held to them;
 * where they are many, the list is walked and each record is asked the `test`.
 */
export async function hitCondition(
  tx: TenantTx,
  type: TaggedType,
  { hits, test }: { hits: Condition; test: Condition },
): Promise<Condition> {
  const found = sql<{ id: string }>`(${hits} limit ${sql.lit(mostHits + 1)})`
  const rows = await tx.selectFrom(found.as('hit')).select('hit.id').execute()
  const ids = rows.map(({ id }) => id)
  return ids.length > mostHits ? test : sql`${sql.ref(`${tables[type].table}.id`)} = any (${ids}::uuid[])`
}

type Asked = { search?: string; tag?: string; include_deleted?: boolean }

/** What a search and a tag ask of a record. Both are asked as values: as conditions they seem to leave few rows, and all would be read and sorted. */
export async function hitConditions(
  tx: TenantTx,
  type: TaggedType,
  { search, tag, include_deleted }: Asked,
): Promise<Condition[]> {
  const { table, search: find } = tables[type]
  const words = search ? searchWords(search).slice(0, maxWords) : []
  const conditions: Condition[] = []
  if (words.length) {
    const text = sql.ref(`${table}.search_text`)
    const test = sql<SqlBool>`coalesce(${text} like all ((select crm.search_patterns(${words}::text[]))::text[]), false)`
    const hits = sql<SqlBool>`select found as id from ${sql.table(find)}(${words}::text[], ${sql.lit(mostHits + 1)}) as found`
    // What was deleted is not among what a search finds.
    conditions.push(include_deleted ? test : await hitCondition(tx, type, { hits, test }))
  }
  if (tag) {
    const carried = sql<SqlBool>`entity_type = ${type} and tag = ${tag}`
    const id = sql.ref(`${table}.id`)
    const hits = sql<SqlBool>`select record_id as id from crm.record_tags where ${carried}`
    const test = sql<SqlBool>`coalesce((select true from crm.record_tags where ${carried} and record_id = ${id}), false)`
    conditions.push(await hitCondition(tx, type, { hits, test }))
  }
  return conditions
}
