import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { RecordReference } from '#platform/module'
import { recordTables } from '../records/custom-values/custom-values.queries.ts'

/** Tables whose rows refer to a record by its type and id, without a foreign key. */
const referringTables = {
  field_provenance: { table: 'crm.field_provenance', type: 'entity_type', id: 'entity_id' },
  record_tag: { table: 'crm.record_tags', type: 'entity_type', id: 'record_id' },
  search_text: { table: 'crm.search_texts', type: 'record_type', id: 'record_id' },
} as const
export type ReferringTable = keyof typeof referringTables
export const referringTableNames = Object.keys(referringTables) as ReferringTable[]

/** Records of other modules, such as campaigns, are not checked. */
const isGone = (type: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  sql`${type} in (${sql.join(Object.keys(recordTables).map((name) => sql.lit(name)))}) and ${sql.join(
    Object.entries(recordTables).map(
      ([name, table]) =>
        sql`not (${type} = ${sql.lit(name)} and exists (select from ${sql.table(table)} record where record.id = ${id}))`,
    ),
    sql` and `,
  )}`

export async function listOrphans(tx: TenantTx, name: ReferringTable, limit: number): Promise<RecordReference[]> {
  const { table, type, id } = referringTables[name]
  const { rows } = await sql<{ id: string }>`
    select distinct id from (
      select ${sql.ref(id)} as id from ${sql.table(table)} row
      where ${isGone(sql.ref(`row.${type}`), sql.ref(`row.${id}`))} limit ${limit}
    ) as orphan
  `.execute(tx)
  return rows.map((row) => ({ resource_type: name, id: row.id }))
}

export async function deleteOrphans(tx: TenantTx, name: ReferringTable, ids: readonly string[]): Promise<number> {
  const { table, type, id } = referringTables[name]
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} row where row.${sql.ref(id)} = any (${ids}::uuid[])
      and ${isGone(sql.ref(`row.${type}`), sql.ref(`row.${id}`))}
  `.execute(tx)
  return Number(numAffectedRows)
}

const isOrphanedEntry = sql`not exists (
  select from crm.custom_fields field where field.id = entry.field_id and not (${isGone(sql.ref('field.object_type'), sql.ref('entry.record_id'))}))`

const entryTables = ['crm.custom_field_index', 'crm.custom_field_unique'] as const

/** Lists records whose index or unique values refer to a field or record that is gone. */
export async function listOrphanedEntries(tx: TenantTx, limit: number): Promise<RecordReference[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct record_id as id from (${sql.join(
      entryTables.map(
        (table) => sql`(select record_id from ${sql.table(table)} entry where ${isOrphanedEntry} limit ${limit})`,
      ),
      sql` union all `,
    )}) as orphan limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => ({ resource_type: 'custom_value', id }))
}

export async function deleteOrphanedEntries(tx: TenantTx, recordIds: readonly string[]): Promise<number> {
  let deleted = 0
  for (const table of entryTables) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} entry where entry.record_id = any (${recordIds}::uuid[]) and ${isOrphanedEntry}
    `.execute(tx)
    deleted += Number(numAffectedRows)
  }
  return deleted
}
