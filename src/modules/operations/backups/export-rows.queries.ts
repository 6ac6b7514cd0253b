import { type RawBuilder, sql } from 'kysely'
import { type SnapshotTx, streamRows, type TenantTx } from '#platform/db'
import type { RowCondition } from '#platform/module'

export type ExportedColumns = { columns: string[]; urls: readonly string[]; sealed: string[] }
type ExportedRow = { line: string; sealed: string | null }

/** Streams the rows of a table as JSON texts, which keep every value exactly as PostgreSQL has it. */
export function streamReadableRows(
  tx: SnapshotTx,
  table: string,
  { columns, urls, sealed }: ExportedColumns,
  isSealed: RowCondition = sql`false`,
) {
  const values = sealed.length ? toJson(sealed, []) : sql`null`
  return streamRows(
    tx,
    sql<ExportedRow>`select ${toJson(columns, urls)} as line, ${values} as sealed from ${sql.table(table)} where not ${isSealed}`,
  )
}

export function streamSealedRows(
  tx: SnapshotTx,
  table: string,
  { columns, urls, sealed }: ExportedColumns,
  isSealed: RowCondition,
) {
  const line = toJson([...columns, ...sealed], urls)
  return streamRows(tx, sql<{ line: string }>`select ${line} as line from ${sql.table(table)} where ${isSealed}`)
}

function toJson(columns: readonly string[], urls: readonly string[]): RawBuilder<string> {
  const list = columns.map((column) =>
    urls.includes(column)
      ? sql`regexp_replace(${sql.ref(column)}, '[?#].*', '') as ${sql.ref(column)}`
      : sql.ref(column),
  )
  return list.length ? sql`(select to_json(picked)::text from (select ${sql.join(list)}) as picked)` : sql`'{}'`
}

export async function findSchemaVersion(tx: TenantTx): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from public.migrations order by id desc limit 1
  `.execute(tx)
  return rows[0]?.name ?? ''
}
