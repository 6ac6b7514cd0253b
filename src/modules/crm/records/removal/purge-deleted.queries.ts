import { type Expression, type SqlBool, sql } from 'kysely'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'
import { deleteIndexEntries, deleteUniqueValues } from '../custom-values/custom-values.queries.ts'

const batchSize = 500

type RecordTable = 'crm.leads' | 'crm.opportunities' | 'crm.accounts' | 'crm.contacts'

export type PurgeableRecord = {
  type: 'lead' | 'contact' | 'account' | 'opportunity'
  table: RecordTable
  references: Partial<Record<RecordTable, string>>
  condition?: Expression<SqlBool>
}

/** In purge order: deals before accounts, because an account is kept while it has deals. */
export const purgeableRecords: readonly PurgeableRecord[] = [
  { type: 'opportunity', table: 'crm.opportunities', references: { 'crm.leads': 'converted_opportunity_id' } },
  {
    type: 'lead',
    table: 'crm.leads',
    references: { 'crm.leads': 'merged_into_id', 'crm.opportunities': 'lead_id', 'crm.contacts': 'lead_id' },
  },
  {
    type: 'contact',
    table: 'crm.contacts',
    references: {
      'crm.leads': 'converted_contact_id',
      'crm.opportunities': 'primary_contact_id',
      'crm.contacts': 'merged_into_id',
    },
  },
  {
    type: 'account',
    table: 'crm.accounts',
    references: {
      'crm.leads': 'converted_account_id',
      'crm.accounts': 'parent_account_id',
      'crm.contacts': 'account_id',
    },
    condition: sql`not exists (select from crm.opportunities where account_id = crm.accounts.id)`,
  },
]

export const listTenantsWithDeleted = (system: SystemTx, before: Date): Promise<string[]> =>
  listTenantsAsRetention(
    system,
    ...purgeableRecords.map(
      ({ table }) =>
        (tx: SystemTx) =>
          listTenantsWithRows(tx, table, sql`deleted_at < ${before}`),
    ),
  )

/** Permanently deletes one batch of records deleted before `before`, with their activities, and returns the count. */
export async function purgeDeletedBatch(tx: TenantTx, record: PurgeableRecord, before: Date): Promise<number> {
  const condition = isPurgeable(record, before)
  return (await purgeRecords(tx, record, await listPurgeableIds(tx, record, condition), condition)).length
}

/** Permanently deletes records with their activities, if the condition still holds, and returns their ids. */
export async function purgeRecords(
  tx: TenantTx,
  record: PurgeableRecord,
  candidateIds: readonly string[],
  condition: Expression<SqlBool> = record.condition ?? sql`true`,
): Promise<string[]> {
  if (!candidateIds.length) return []
  const ids = await lockPurgeableRecords(tx, record, candidateIds, condition)
  if (!ids.length) return []
  const { type, table } = record
  await removeFromActivities(tx, type, ids)
  await deleteIndexEntries(tx, ids)
  await deleteUniqueValues(tx, ids)
  await sql`delete from crm.record_tags where entity_type = ${type} and record_id = any (${ids}::uuid[])`.execute(tx)
  await sql`delete from crm.field_provenance where entity_type = ${type} and entity_id = any (${ids}::uuid[])`.execute(
    tx,
  )
  await sql`delete from ${sql.table(table)} where id = any (${ids}::uuid[])`.execute(tx)
  return ids
}

const isPurgeable = ({ condition = sql`true` }: PurgeableRecord, before: Date) =>
  sql<boolean>`deleted_at is not null and deleted_at < ${before} and ${condition}`

async function listPurgeableIds(
  tx: TenantTx,
  record: PurgeableRecord,
  condition: Expression<SqlBool>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(record.table)} where ${condition}
    order by deleted_at limit ${sql.lit(batchSize)}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

const lockOrder: readonly RecordTable[] = ['crm.leads', 'crm.opportunities', 'crm.accounts', 'crm.contacts']

/** Locks the records and those that refer to them, in the global lock order. Returns the ids that may still be purged. */
async function lockPurgeableRecords(
  tx: TenantTx,
  record: PurgeableRecord,
  candidateIds: readonly string[],
  condition: Expression<SqlBool>,
): Promise<string[]> {
  const candidates = sql`any (${candidateIds}::uuid[])`
  let ids: string[] = []
  for (const table of lockOrder) {
    const column = record.references[table]
    const isReferring = column ? sql`${sql.ref(column)} = ${candidates}` : sql`false`
    if (table === record.table) {
      const { rows } = await sql<{ id: string; purgeable: boolean }>`
        select id, id = ${candidates} and ${condition} as purgeable
        from ${sql.table(table)} where id = ${candidates} or ${isReferring} order by id for update
      `.execute(tx)
      ids = rows.filter(({ purgeable }) => purgeable).map(({ id }) => id)
    } else if (column)
      await sql`select id from ${sql.table(table)} where ${isReferring} order by id for no key update`.execute(tx)
  }
  return ids
}

async function removeFromActivities(tx: TenantTx, type: PurgeableRecord['type'], ids: readonly string[]) {
  const recordId = sql.ref(`${type}_id`)
  const { rows } = await sql<{ id: string; is_shared: boolean }>`
    select id, num_nonnulls(lead_id, contact_id, account_id, opportunity_id) > 1 as is_shared
    from crm.activities where ${recordId} = any (${ids}::uuid[]) order by id for update
  `.execute(tx)
  const [shared, own] = [true, false].map((value) =>
    rows.filter(({ is_shared }) => is_shared === value).map(({ id }) => id),
  )
  await sql`update crm.activities set ${recordId} = null where id = any (${shared}::uuid[])`.execute(tx)
  await sql`delete from crm.activities where id = any (${own}::uuid[])`.execute(tx)
}

export async function deleteActivityRows(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`select id from crm.activities where id = any (${ids}::uuid[]) order by id for update`.execute(tx)
  await sql`delete from crm.activities where id = any (${ids}::uuid[])`.execute(tx)
}
