import type pg from 'pg'
import { waitUntil } from './wait-until.ts'

/** Runs statements of a load. */
export type Loader = { query(text: string, values?: unknown[]): Promise<pg.QueryResult> }

/** `keepsIndexes` adds each row to the indexes at once, which are larger afterwards than those that are built from all rows. */
type LoadOptions = { keepsIndexes?: boolean }

/**
 * Runs statements that insert many rows, without triggers and foreign keys, and then updates the statistics of the tables that
 * received rows. What a trigger would have written must be inserted too, if a test needs it.
 */
export async function loadRows(
  owner: pg.Pool,
  work: (loader: Loader) => Promise<unknown>,
  { keepsIndexes = false }: LoadOptions = {},
): Promise<void> {
  const client = await owner.connect()
  try {
    // Vacuum marks a page as visible to all, which index-only scans require, only after the commit was written.
    await client.query(`begin; set local synchronous_commit = on; set local session_replication_role = replica;
      set local max_parallel_maintenance_workers = 0`)
    const deferred = new Set<string>()
    await work({
      async query(text, values) {
        if (!keepsIndexes) await deferIndexes(client, text, deferred)
        return client.query(text, values)
      },
    })
    for (const table of deferred) await client.query(`reindex table ${table}`)
    const { rows } = await client.query<{ name: string }>(
      `select distinct coalesce(pg_partition_root(relid), relid)::regclass::text as name
       from pg_stat_xact_user_tables where n_tup_ins > 0`,
    )
    await client.query('commit')
    await vacuumTables(
      client,
      rows.map(({ name }) => name),
    )
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

/**
 * Excludes the indexes of the tables that a statement fills from its inserts. `reindex` then builds them several times faster. It
 * cannot build those of a partitioned table in a transaction.
 */
async function deferIndexes(client: pg.ClientBase, text: string, deferred: Set<string>): Promise<void> {
  const tables = [...text.matchAll(/insert into (\w+\.\w+)/g)].map(([, table]) => table!)
  if (tables.every((table) => deferred.has(table))) return
  const { rows } = await client.query<{ name: string }>(
    `with changed as (
       update pg_index set indisready = false, indisvalid = false from pg_class
       where pg_class.oid = indrelid and relkind = 'r' and indisready and indrelid = any ($1::text[]::regclass[]) returning indrelid
     ) select distinct indrelid::regclass::text as name from changed`,
    [tables],
  )
  for (const { name } of rows) deferred.add(name)
}

/** Repeats the vacuum until all pages are visible to all, because a transaction of another test process can delay that. */
async function vacuumTables(client: pg.ClientBase, names: readonly string[]): Promise<void> {
  const hidden = `select from pg_class where oid = any ($1::text[]::regclass[]) and relallvisible < relpages`
  const areVisible = async () => {
    await client.query(`vacuum analyze ${names.join(', ')}`)
    return (await client.query(hidden, [names])).rowCount === 0
  }
  await waitUntil(areVisible).catch(async ({ message }: Error) => {
    const { rows } = await client.query(
      `select datname, application_name, state, xact_start, left(query, 200) as query from pg_stat_activity
       where (backend_xmin is not null or backend_xid is not null) and pid <> pg_backend_pid()`,
    )
    throw new Error(`Rows stay invisible to others. ${message} Open transactions: ${JSON.stringify(rows)}`)
  })
}
