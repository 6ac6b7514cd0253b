import { sql } from 'kysely'
import { type SnapshotTx, streamRows, type TenantTx } from '#platform/db'

/** Streams the rows of a table as JSON texts, which keep every value exactly as PostgreSQL has it. */
export async function* streamTableRows(tx: SnapshotTx, table: string, columns: readonly string[]) {
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const query = sql<{ line: string }>`
    select to_json(exported)::text as line from (select ${list} from ${sql.table(table)}) as exported
  `
  for await (const rows of streamRows(tx, query)) yield rows.map(({ line }) => line)
}

export async function listReferences(tx: TenantTx): Promise<{ from: string; to: string }[]> {
  const { rows } = await sql<{ from: string; to: string }>`
    select distinct f.relnamespace::regnamespace || '.' || f.relname as "from",
      t.relnamespace::regnamespace || '.' || t.relname as "to"
    from pg_constraint con join pg_class f on f.oid = con.conrelid join pg_class t on t.oid = con.confrelid
    where con.contype = 'f' and con.conparentid = 0 and f.oid <> t.oid
  `.execute(tx)
  return rows
}

export async function findSchemaVersion(tx: TenantTx): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from public.migrations order by id desc limit 1
  `.execute(tx)
  return rows[0]?.name ?? ''
}
