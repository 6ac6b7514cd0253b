// A worker in a process of its own, to be killed. It is told the addresses of the database and says when it is ready.
import { connect, connectSystem, listen } from '#platform/db'
import { startJobs, workOnJobs } from '#platform/jobs'
import { doingRows } from './rows-task.stand-in.ts'

const [appUrl = '', systemUrl = ''] = process.argv.slice(2)

await startJobs({ systemUrl })
await workOnJobs({
  systemUrl,
  db: connect(appUrl),
  systemDb: connectSystem(systemUrl),
  listener: await listen(systemUrl),
  handlers: [doingRows],
  tenantStatus: async () => 'active',
  log: { info: () => {}, warn: () => {}, error: () => {} },
})
process.stdout.write('working\n')
