// Worker process for tests: reports that a job has started and then hangs until it is killed.
import { sql } from 'kysely'
import { Type } from 'typebox'
import { connect, connectSystem } from '#platform/db'
import { defineJob, defineJobHandler, type JobHandler } from './job.ts'
import { startJobWorker } from './job-worker.ts'

export const finishBook = defineJob('test.finish_book', 'bulk', Type.Object({}))
export const printBook = defineJob('test.print_book', 'bulk', Type.Object({}))

/** The first job hangs before its effect is committed, the second one after. */
export const handlers = (onStarted: (job: string) => Promise<void>): JobHandler[] => [
  defineJobHandler(finishBook, async ({ inTenant }) => {
    await inTenant(async (tx) => {
      await sql`insert into public.effects (name) values ('finished')`.execute(tx)
      await onStarted('finish')
    })
  }),
  defineJobHandler(printBook, async ({ inTenant }) => {
    await inTenant((tx) => sql`insert into public.effects (name) values ('printed') on conflict do nothing`.execute(tx))
    await onStarted('print')
  }),
]

if (process.send) {
  const [appUrl = '', systemUrl = ''] = process.argv.slice(2)
  const log = { info() {}, warn() {}, error() {} }
  await startJobWorker({
    systemUrl,
    db: connect(appUrl),
    systemDb: connectSystem(systemUrl),
    log,
    pollSeconds: 0.5,
    handlers: handlers(async (job) => {
      process.send?.(job)
      await new Promise(() => {})
    }),
    getTenantStatus: async () => 'active',
  })
}
