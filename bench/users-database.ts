import pg from 'pg'
import { connect, disconnect } from '#platform/db'
import { createTestDatabase, migrateTemplate, startPostgres } from '#testing'

const tenants = 20
const usersPerTenant = 5_000

/** Starts a server with a database of many users for the read benchmarks. */
export async function openUsersDatabase() {
  const server = await startPostgres({ settings: ['shared_buffers=512MB', 'jit=off'] })
  await migrateTemplate(server.url)
  const database = await createTestDatabase(server.url)
  // The baseline runs without row-level security on an otherwise equal pool.
  const ownerDb = connect(database.ownerUrl)
  await ownerDb.pool.query(
    `insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text)
     select t, gen_random_uuid(), n || '@engines.example', 'Person ' || n, (array['admin', 'manager', 'member', 'viewer'])[1 + n % 4],
       'active', true, 'sample', 'person ' || n
     from (select gen_random_uuid() as t from generate_series(1, ${tenants})) tenants, generate_series(1, ${usersPerTenant}) n`,
  )
  await ownerDb.pool.query('vacuum analyze identity.users')
  const { rows } = await ownerDb.pool.query(
    'select tenant_id, array_agg(id) as ids from identity.users group by 1 limit 1',
  )
  const db = connect(database.appUrl)
  const stockPool = new pg.Pool({ connectionString: database.appUrl, max: 8 })
  return {
    server,
    database,
    db,
    ownerDb,
    stockPool,
    tenantId: rows[0].tenant_id as string,
    ids: rows[0].ids as string[],
    async close() {
      await Promise.all([disconnect(db), disconnect(ownerDb), stockPool.end()])
      await server.stop()
    },
  }
}
