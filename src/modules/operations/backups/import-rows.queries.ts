import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Lets the transaction wait for the file store between two statements. */
export async function prepareImport(tx: TenantTx): Promise<void> {
  await sql`select set_config('idle_in_transaction_session_timeout', '600s', true)`.execute(tx)
  await sql`set constraints all deferred`.execute(tx)
}

type NewRows = {
  table: string
  columns: readonly string[]
  randomColumns: readonly string[]
  json: string
  /** Keeps existing rows. */
  isComplement: boolean
}

/** PostgreSQL reads the JSON itself, so values are the same as in the exported rows. */
export async function insertImportedRows(
  tx: TenantTx,
  { table, columns, randomColumns, json, isComplement }: NewRows,
): Promise<number> {
  const names = [...columns, ...randomColumns].map((column) => sql.ref(column))
  const values = [
    ...columns.map((column) => sql.ref(`imported.${column}`)),
    ...randomColumns.map(() => sql`sha256(uuid_send(gen_random_uuid()))`),
  ]
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${sql.join(names)})
    select ${sql.join(values)} from json_populate_recordset(null::${sql.table(table)}, ${json}::json) as imported
    ${isComplement ? sql`on conflict do nothing` : sql``}
  `.execute(tx)
  return Number(numAffectedRows)
}

export type TableColumns = { table: string; all: string[]; required: string[]; hashes: string[] }

/**
 * Lists the columns of tables. `required` ones must not be null and have no default. `hashes` are those of them that the archive
 * does not contain: a random value matches no credential.
 */
export async function listTableColumns(tx: TenantTx, tables: readonly string[]): Promise<Map<string, TableColumns>> {
  const { rows } = await sql<TableColumns>`
    select requested.name as "table", array_agg(attname::text) as "all",
      coalesce(array_agg(attname::text) filter (where is_required), '{}') as required,
      coalesce(array_agg(attname::text) filter (where is_required and atttypid = 'bytea'::regtype), '{}') as hashes
    from unnest(${tables}::text[]) as requested (name)
    join (select attrelid, attname, atttypid, attnotnull and not atthasdef and attidentity = '' and attname <> 'tenant_id' as is_required
      from pg_attribute where attnum > 0 and not attisdropped) as columns on attrelid = to_regclass(requested.name)
    group by 1
  `.execute(tx)
  return new Map(rows.map((row) => [row.table, row]))
}

export async function isKnownVersion(tx: TenantTx, version: string): Promise<boolean> {
  const { rows } = await sql`select from public.migrations where name = ${version} limit 1`.execute(tx)
  return rows.length > 0
}
