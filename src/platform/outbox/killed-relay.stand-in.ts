// Relay process for tests, killed in the middle of a batch.
import { connectSystem } from '#platform/db'
import { createJobQueue } from '#platform/jobs'
import { createLetterSubscriptions } from './letter-subscriptions.fixture.ts'
import { relayBatch } from './relay.ts'
import { registerSubscriptions } from './subscriptions.ts'

const [systemUrl = ''] = process.argv.slice(2)
const systemDb = connectSystem(`${systemUrl}?application_name=killed_relay`)
await createJobQueue({ db: systemDb, systemUrl }).start()
registerSubscriptions(
  systemDb,
  createLetterSubscriptions(async () => {}),
)
await relayBatch(systemDb)
