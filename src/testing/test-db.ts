import { after } from 'node:test'
import pg from 'pg'
import { connect, connectSystem, disconnect } from '#platform/db'
import { createTestDatabase } from './test-database.ts'

/** Creates a database for the test file, with a handle for each role; drops it when the file ends. */
export async function startTestDb(server?: string, atEnd: (release: () => Promise<void>) => void = after) {
  const database = await createTestDatabase(server)
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 4 })
  // Dropping the database can terminate a connection that is just closing.
  owner.on('error', () => {})
  owner.on('connect', (client) => client.on('error', () => {}))
  const db = connect(database.appUrl, { waitMs: 10_000 })
  const systemDb = connectSystem(database.systemUrl, { sameInstanceAs: db })

  atEnd(async () => {
    await Promise.all([disconnect(db), disconnect(systemDb)])
    await owner.end()
    await database.drop()
  })
  return { database, owner, db, systemDb }
}
