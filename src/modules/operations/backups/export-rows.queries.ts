import { sql } from 'kysely'
import { type SnapshotTx, streamRows, type TenantTx } from '#platform/db'

/** Streams the rows of a table as JSON texts, which keep every value exactly as PostgreSQL has it. */
export async function* streamTableRows(
  tx: SnapshotTx,
  table: string,
  { columns, urls }: { columns: readonly string[]; urls: readonly string[] },
) {
  const list = sql.join(
    columns.map((column) =>
      urls.includes(column)
        ? sql`regexp_replace(${sql.ref(column)}, '[?#].*', '') as ${sql.ref(column)}`
        : sql.ref(column),
    ),
  )
  const query = sql<{ line: string }>`
    select to_json(exported)::text as line from (select ${list} from ${sql.table(table)}) as exported
  `
  for await (const rows of streamRows(tx, query)) yield rows.map(({ line }) => line)
}

export async function findSchemaVersion(tx: TenantTx): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from public.migrations order by id desc limit 1
  `.execute(tx)
  return rows[0]?.name ?? ''
}
