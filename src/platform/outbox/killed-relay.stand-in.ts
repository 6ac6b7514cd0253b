// Relay process for tests, killed in the middle of a batch.
import { connectSystem } from '#platform/db'
import { createJobQueue } from '#platform/jobs'
import { relayBatch } from './relay.ts'
import { registerSubscriptions } from './subscriptions.ts'

const [systemUrl = ''] = process.argv.slice(2)
const systemDb = connectSystem(`${systemUrl}?application_name=killed_relay`)
registerSubscriptions(systemDb, [])
await createJobQueue({ db: systemDb, systemUrl }).start()
await relayBatch(systemDb)
