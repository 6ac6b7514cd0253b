import { after } from 'node:test'
import { connect, connectSystem, disconnect } from '#platform/db'
import { createTestDatabase, openOwnerPool } from './test-database.ts'

/** Creates a database for the test file, with a handle for each role; drops it when the file ends. */
export async function startTestDb(server?: string, atEnd: (release: () => Promise<void>) => void = after) {
  const database = await createTestDatabase(server)
  const owner = openOwnerPool(database.ownerUrl, 4)
  const db = connect(database.appUrl, { waitMs: 10_000 })
  const systemDb = connectSystem(database.systemUrl, { sameInstanceAs: db })

  atEnd(async () => {
    await Promise.all([disconnect(db), disconnect(systemDb)])
    await owner.end()
    await database.drop()
  })
  return { database, owner, db, systemDb }
}
