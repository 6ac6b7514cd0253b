// A worker to be killed: it reports that it is in the middle of a job, and never gets any further.
import { sql } from 'kysely'
import { Type } from 'typebox'
import { connect, connectSystem } from '#platform/db'
import { startJobs } from './boss.ts'
import { defineJob, handleJob, type JobHandler } from './job.ts'
import { workOnJobs } from './work.ts'

export const finishBook = defineJob('test.finish_book', 'bulk', Type.Object({}))
export const printBook = defineJob('test.print_book', 'bulk', Type.Object({}))

/** One is interrupted before its effect is committed, one after. */
export const handlers = (inTheMiddle: (job: string) => Promise<void>): JobHandler[] => [
  handleJob(finishBook, async ({ inTenant }) => {
    await inTenant(async (tx) => {
      await sql`insert into public.effects (name) values ('finished')`.execute(tx)
      await inTheMiddle('finish')
    })
  }),
  handleJob(printBook, async ({ inTenant }) => {
    await inTenant((tx) => sql`insert into public.effects (name) values ('printed') on conflict do nothing`.execute(tx))
    await inTheMiddle('print')
  }),
]

if (process.send) {
  const [appUrl = '', systemUrl = ''] = process.argv.slice(2)
  const log = { info() {}, warn() {}, error() {} }
  await startJobs({ systemUrl })
  await workOnJobs({
    ...{ systemUrl, db: connect(appUrl), systemDb: connectSystem(systemUrl), log, pollSeconds: 0.5 },
    handlers: handlers(async (job) => {
      process.send?.(job)
      await new Promise(() => {})
    }),
    tenantStatus: async () => 'active',
  })
}
