import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function deferReferences(tx: TenantTx): Promise<void> {
  await sql`set constraints all deferred`.execute(tx)
}

export type ImportedRows = { table: string; columns: readonly string[]; randomColumns: readonly string[]; json: string }

/** PostgreSQL reads the JSON itself, so values are the same as in the exported rows. */
export async function insertImportedRows(
  tx: TenantTx,
  { table, columns, randomColumns, json }: ImportedRows,
): Promise<number> {
  const names = [...columns, ...randomColumns].map((column) => sql.ref(column))
  const values = [
    ...columns.map((column) => sql.ref(`imported.${column}`)),
    ...randomColumns.map(() => sql`sha256(uuid_send(gen_random_uuid()))`),
  ]
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${sql.join(names)})
    select ${sql.join(values)} from json_populate_recordset(null::${sql.table(table)}, ${json}::json) as imported
  `.execute(tx)
  return Number(numAffectedRows)
}

/** Lists the redacted columns that must not be null. They are hashes, so a random value matches no credential. */
export async function listRequiredHashes(tx: TenantTx, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and attnotnull and not atthasdef and atttypid = 'bytea'::regtype
  `.execute(tx)
  return rows.map(({ name }) => name)
}
