// A worker as it is run, in a process that a test can kill.
import { readConfig } from '#platform/config'
import { startJobs } from '#platform/jobs'
import { openServices } from '../../../services.ts'
import { startWorker } from '../../../worker.ts'

const config = readConfig()
const { services } = await openServices(config)
await startJobs({ systemUrl: config.DATABASE_SYSTEM_URL })
await startWorker(services)
process.send?.('working')
