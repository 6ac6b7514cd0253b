import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { RecordReference } from '#platform/module'

/** Lists open leads, open deals and accounts of these owners. */
export async function listRecordsOfOwners(
  tx: TenantTx,
  ownerIds: readonly string[],
  limit: number,
): Promise<RecordReference[]> {
  const { rows } = await sql<RecordReference>`
    (select 'lead' as resource_type, id from crm.leads
      where owner_id = any (${ownerIds}::uuid[]) and deleted_at is null and status not in ('converted', 'unqualified') limit ${limit})
    union all
    (select 'opportunity', id from crm.opportunities
      where owner_id = any (${ownerIds}::uuid[]) and deleted_at is null and kind = 'open' limit ${limit})
    union all
    (select 'account', id from crm.accounts
      where owner_id = any (${ownerIds}::uuid[]) and deleted_at is null limit ${limit})
    limit ${limit}
  `.execute(tx)
  return rows
}

const ownedTables = { opportunity: 'crm.opportunities', account: 'crm.accounts' } as const

/** Gives records to the successors of their owners; skips records that have got another owner. */
export async function replaceOwners(
  tx: TenantTx,
  kind: keyof typeof ownedTables,
  ids: readonly string[],
  successors: ReadonlyMap<string, string>,
): Promise<number> {
  const table = sql.table(ownedTables[kind])
  await sql`
    select id from ${table} where id = any (${ids}::uuid[]) and owner_id = any (${[...successors.keys()]}::uuid[])
    order by id for no key update
  `.execute(tx)
  const { numAffectedRows = 0n } = await sql`
    update ${table} record set owner_id = successor.to_id
    from unnest(${[...successors.keys()]}::uuid[], ${[...successors.values()]}::uuid[]) as successor (from_id, to_id)
    where record.id = any (${ids}::uuid[]) and record.owner_id = successor.from_id
  `.execute(tx)
  return Number(numAffectedRows)
}
