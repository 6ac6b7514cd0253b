import { type RawBuilder, sql } from 'kysely'
import { type SnapshotTx, streamRows, type TenantTx } from '#platform/db'

export type ExportedColumns = { columns: readonly string[]; urls: readonly string[]; sealed: readonly string[] }
type ExportedRow = { line: string; sealed: string | null }

/** Streams the rows of a table as JSON texts, which keep every value exactly as PostgreSQL has it. */
export function streamTableRows(tx: SnapshotTx, table: string, { columns, urls, sealed }: ExportedColumns) {
  const list = columns.map((column) =>
    urls.includes(column)
      ? sql`regexp_replace(${sql.ref(column)}, '[?#].*', '') as ${sql.ref(column)}`
      : sql.ref(column),
  )
  const toJson = (selected: readonly RawBuilder<unknown>[]) =>
    selected.length ? sql`(select to_json(picked)::text from (select ${sql.join(selected)}) as picked)` : sql`'{}'`
  const secrets = sealed.length ? toJson(sealed.map((column) => sql.ref(column))) : sql`null`
  return streamRows(tx, sql<ExportedRow>`select ${toJson(list)} as line, ${secrets} as sealed from ${sql.table(table)}`)
}

export async function findSchemaVersion(tx: TenantTx): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from public.migrations order by id desc limit 1
  `.execute(tx)
  return rows[0]?.name ?? ''
}
