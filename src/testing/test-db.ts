import { after } from 'node:test'
import pg from 'pg'
import { connect, connectSystem, disconnect } from '#platform/db'
import { createTestDatabase } from './test-database.ts'

/** A private database with a handle for each role. Everything is released when the test file ends. */
export async function startTestDb() {
  const database = await createTestDatabase()
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 4 })
  // Dropping the database may overtake the goodbye of a connection.
  owner.on('error', () => {})
  owner.on('connect', (client) => client.on('error', () => {}))
  const db = connect(database.appUrl)
  const systemDb = connectSystem(database.systemUrl)

  after(async () => {
    await Promise.all([disconnect(db), disconnect(systemDb)])
    await owner.end()
    await database.drop()
  })
  return { database, owner, db, systemDb }
}
