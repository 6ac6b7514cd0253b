// A relay to be killed in the middle of a batch.
import { connectSystem } from '#platform/db'
import { startJobs } from '#platform/jobs'
import { relayBatch } from './relay.ts'
import { registerSubscriptions } from './subscriptions.ts'
import { readers } from './test-readers.ts'

const [systemUrl = ''] = process.argv.slice(2)
await startJobs({ systemUrl })
registerSubscriptions(readers(async () => {}))
await relayBatch(connectSystem(`${systemUrl}?application_name=doomed`))
