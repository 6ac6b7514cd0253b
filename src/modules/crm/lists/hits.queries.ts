import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { searchWords, type TenantTx } from '#platform/db'
import type { TaggedType } from '../persons/tags.queries.ts'
import type { Condition } from './walk.queries.ts'

const mostHits = 10_000
const maxWords = 5

const tables = {
  contact: { table: 'crm.contacts', search: 'crm.search_contacts' },
  account: { table: 'crm.accounts', search: 'crm.search_accounts' },
  opportunity: { table: 'crm.opportunities', search: 'crm.search_opportunities' },
} as const
type Searched = keyof typeof tables & TaggedType

/**
 * What no index walks in the order of a list. Where it means few records these are found first, and the list is held to them;
 * where it means many, the list is walked and each record is asked.
 */
export async function hitConditions(
  tx: TenantTx,
  type: Searched,
  { search, tag }: { search?: string; tag?: string },
): Promise<Condition[]> {
  const { table, search: find } = tables[type]
  const id = sql.ref(`${table}.id`)
  const words = search ? searchWords(search).slice(0, maxWords) : []
  const conditions: Condition[] = []
  const narrow = async (hits: RawBuilder<{ id: string }>, test: Condition) => {
    const found = sql<{ id: string }>`(${hits} limit ${sql.lit(mostHits + 1)})`
    const rows = await tx.selectFrom(found.as('hit')).select('hit.id').execute()
    const ids = rows.map((row) => row.id)
    conditions.push(rows.length > mostHits ? test : sql`${id} = any (${ids}::uuid[])`)
  }

  if (words.length)
    await narrow(
      sql`select found as id from ${sql.table(find)}(${words}::text[], ${sql.lit(mostHits + 1)}) as found`,
      sql<SqlBool>`${sql.ref(`${table}.search_text`)} like all (crm.search_patterns(${words}::text[]))`,
    )
  if (tag) {
    const carried = sql<SqlBool>`entity_type = ${type} and tag = ${tag}`
    await narrow(
      sql`select record_id as id from crm.record_tags where ${carried}`,
      // As a value: asked of each row, and never turned into a join with every record that carries the tag.
      sql`coalesce((select true from crm.record_tags where ${carried} and record_id = ${id}), false)`,
    )
  }
  return conditions
}
