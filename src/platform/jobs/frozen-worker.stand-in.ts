// Worker process for tests: one job waits, another one stops the event loop.
import { Type } from 'typebox'
import { connect, connectSystem } from '#platform/db'
import { startWatchdog } from '#platform/watchdog'
import { defineJob, defineJobHandler } from './job.ts'
import { startJobWorker } from './job-worker.ts'
import { limitRetriesAfterStandstill } from './limit-retries.ts'

export const waitForever = defineJob('test.wait_forever', 'bulk', Type.Object({}))
export const freezeWorker = defineJob('test.freeze_worker', 'bulk', Type.Object({}))

if (process.send) {
  const [appUrl = '', systemUrl = ''] = process.argv.slice(2)
  startWatchdog({ seconds: 2, handler: limitRetriesAfterStandstill(systemUrl) })
  await startJobWorker({
    systemUrl,
    db: connect(appUrl),
    systemDb: connectSystem(systemUrl),
    log: { info() {}, warn() {}, error() {} },
    pollSeconds: 0.5,
    handlers: [
      defineJobHandler(waitForever, async () => {
        process.send?.('waiting')
        await new Promise(() => {})
      }),
      defineJobHandler(freezeWorker, async () => {
        for (;;);
      }),
    ],
    getTenantStatus: async () => 'active',
  })
}
