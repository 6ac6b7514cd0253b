// Runs a worker in a separate process that a test can kill. Prints a line when it is ready.
import { connect, connectSystem, listen } from '#platform/db'
import { createJobQueue, startJobWorker } from '#platform/jobs'
import { processRowsHandler } from './rows-task.stand-in.ts'

const [appUrl = '', systemUrl = ''] = process.argv.slice(2)

const db = connect(appUrl)
await createJobQueue({ db, systemUrl }).start()
await startJobWorker({
  systemUrl,
  db,
  systemDb: connectSystem(systemUrl, { sameInstanceAs: db }),
  listener: await listen(systemUrl),
  handlers: [processRowsHandler],
  getTenantStatus: async () => 'active',
  log: { info: () => {}, warn: () => {}, error: () => {} },
})
process.stdout.write('ready\n')
