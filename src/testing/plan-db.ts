import { after } from 'node:test'
import type pg from 'pg'
import { atProcessEnd, isProcessShared } from './process-end.ts'
import { startTestDb } from './test-db.ts'

let sharedDb: ReturnType<typeof startTestDb> | undefined

/**
 * Returns the database that the files about query plans of this process share. It is as empty as a new one when a file starts,
 * because plans depend on the rows and statistics of all workspaces.
 */
export async function startPlanDb(): ReturnType<typeof startTestDb> {
  if (!isProcessShared()) return startTestDb()
  sharedDb ??= startTestDb(undefined, atProcessEnd)
  const opened = sharedDb
  // Registered before the first await: afterwards it could become a hook of another file.
  after(async () => {
    const { database, owner } = await opened
    await database.countRows()
    await emptyTables(owner)
  })
  return await opened
}

/** Truncates the tables of workspaces, which also empties their indexes, and deletes the statistics of all tables. */
async function emptyTables(owner: pg.Pool): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select t.oid::regclass::text as name from pg_class t join pg_attribute c on c.attrelid = t.oid
     where t.relkind = 'r' and c.attname = 'tenant_id' and pg_relation_size(t.oid) > 0`,
  )
  const filled = rows.map(({ name }) => name).join(', ')
  const firstOidOfUsers = 16_384
  await owner.query(
    `begin; set local session_replication_role = replica; set local client_min_messages = warning;
     ${filled && `truncate ${filled} cascade;`} delete from identity.tenants;
     delete from pg_statistic where starelid >= ${firstOidOfUsers}; commit`,
  )
}
