import type pg from 'pg'
import { waitUntil } from './wait-until.ts'

/**
 * Runs statements that insert many rows, without triggers and foreign keys, and then updates the statistics of the tables that
 * received rows. What a trigger would have written must be inserted too, if a test needs it.
 */
export async function loadRows(owner: pg.Pool, work: (client: pg.ClientBase) => Promise<unknown>): Promise<void> {
  const client = await owner.connect()
  try {
    // Vacuum marks a page as visible to all, which index-only scans require, only after the commit was written.
    await client.query('begin; set local synchronous_commit = on; set local session_replication_role = replica')
    await work(client)
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
       where backend_xmin is not null and pid <> pg_backend_pid()`,
    )
    throw new Error(`Rows stay invisible to others. ${message} Open transactions: ${JSON.stringify(rows)}`)
  })
}
