import { type Expression, type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { maxMatches, searchWords } from '../../records/filters/search-conditions.queries.ts'

export type FoundPersons = { leadIds: string[]; contactIds: string[] }

/** Returns the leads and contacts that match, or undefined if there are too many for a list of ids. */
export async function searchPersons(tx: TenantTx, search: string): Promise<FoundPersons | undefined> {
  const words = searchWords(search)
  if (!words.length) return undefined
  const [leadIds, contactIds] = await Promise.all([listMatches(tx, 'lead', words), listMatches(tx, 'contact', words)])
  return leadIds.length <= maxMatches && contactIds.length <= maxMatches ? { leadIds, contactIds } : undefined
}

async function listMatches(tx: TenantTx, type: 'lead' | 'contact', words: readonly string[]): Promise<string[]> {
  const found = sql<{ id: string }>`(select found as id
    from crm.search_records(${sql.lit(type)}, ${words}::text[], ${sql.lit(maxMatches + 1)}) as found)`
  const rows = await tx.selectFrom(found.as('match')).select('match.id').execute()
  return rows.map(({ id }) => id)
}

type PersonColumns = { lead_id: Expression<unknown>; contact_id: Expression<unknown> }

/** Tests one row: its contact matches, or its lead if there is no contact. */
export const matchesPersonSearch = (search: string, { lead_id, contact_id }: PersonColumns): Expression<SqlBool> =>
  sql<SqlBool>`coalesce((
    select text.search_text like all ((select crm.search_patterns(${searchWords(search)}::text[]))::text[]) from crm.search_texts text
    where text.record_type = case when ${contact_id} is null then 'lead' else 'contact' end
      and text.record_id = coalesce(${contact_id}, ${lead_id})), false)`

export type OutreachPerson = {
  id: string
  name: string | null
  email: string | null
  timezone: string | null
  may_be_called: boolean
}

/** Returns what decides when and how leads and contacts are contacted. Deleted records are left out. */
export async function listOutreachPersons(
  tx: TenantTx,
  { leadIds, contactIds }: { leadIds: readonly string[]; contactIds: readonly string[] },
): Promise<Map<string, OutreachPerson>> {
  const columns = sql`id, name, email, timezone, call_status <> 'do_not_call' as may_be_called`
  const { rows } = await sql<OutreachPerson>`
    select ${columns} from crm.leads where id = any (${leadIds}::uuid[]) and deleted_at is null
    union all
    select ${columns} from crm.contacts where id = any (${contactIds}::uuid[]) and deleted_at is null
  `.execute(tx)
  return new Map(rows.map((person) => [person.id, person]))
}
