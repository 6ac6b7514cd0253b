import { type Expression, type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { maxMatches, searchWords } from '../lists/search-conditions.queries.ts'

type PersonColumns = { lead_id: Expression<unknown>; contact_id: Expression<unknown> }

/** A condition on rows that refer to a lead or a contact: the contact matches, or the lead if there is no contact. */
export async function personSearchCondition(
  tx: TenantTx,
  search: string,
  { lead_id, contact_id }: PersonColumns,
): Promise<Expression<SqlBool>> {
  const words = searchWords(search)
  if (!words.length) return sql<SqlBool>`true`
  const [leads, contacts] = await Promise.all([listMatches(tx, 'lead', words), listMatches(tx, 'contact', words)])
  if (leads.length <= maxMatches && contacts.length <= maxMatches)
    return sql<SqlBool>`(${lead_id} = any (${leads}::uuid[]) and ${contact_id} is null or ${contact_id} = any (${contacts}::uuid[]))`
  return sql<SqlBool>`coalesce((
    select text.search_text like all ((select crm.search_patterns(${words}::text[]))::text[]) from crm.search_texts text
    where text.record_type = case when ${contact_id} is null then 'lead' else 'contact' end
      and text.record_id = coalesce(${contact_id}, ${lead_id})), false)`
}

async function listMatches(tx: TenantTx, type: 'lead' | 'contact', words: readonly string[]): Promise<string[]> {
  const found = sql<{ id: string }>`(select found as id
    from crm.search_records(${sql.lit(type)}, ${words}::text[], ${sql.lit(maxMatches + 1)}) as found)`
  const rows = await tx.selectFrom(found.as('match')).select('match.id').execute()
  return rows.map(({ id }) => id)
}
