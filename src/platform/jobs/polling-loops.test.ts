import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PgBoss } from 'pg-boss'
import { startPollingLoops } from './polling-loops.ts'
import { jobSlots, poolLimitsOf } from './pool-limits.ts'

test('one idle loop of a queue polls at a time, in turn, and further loops start when all are busy', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setInterval'] })
  const polled: string[] = []
  const loops: ((jobs: object[]) => Promise<unknown>)[] = []
  const boss = {
    async work(_queue: string, _options: object, run: (jobs: object[]) => Promise<unknown>) {
      polled.push(`loop ${loops.push(run)}`)
      return `loop ${loops.length}`
    },
    notifyWorker: (id: string) => void polled.push(id),
  }
  const options = { loops: 4, batchSize: 1, pollSeconds: 2 }

  const queue = await startPollingLoops(boss as unknown as PgBoss, 'bulk', options, () => new Promise(() => {}))
  mock.timers.tick(6_000)
  const polledIdle = polled.splice(0)
  for (const run of loops) if (loops.length < options.loops) void run([{}])
  queue.stop()
  mock.timers.tick(6_000)

  assert.deepEqual(polledIdle, ['loop 1', 'loop 2', 'loop 2', 'loop 1', 'loop 2'])
  assert.deepEqual(polled, ['loop 2', 'loop 3', 'loop 4'])
})

test('the pool of a worker depends on its job slots, and jobs wait longer for a connection than requests', () => {
  const config = { DATABASE_POOL_SIZE: 8, DATABASE_MAX_WAITING: 200, DATABASE_WAIT_MS: 2_000 }
  const [api, worker] = [poolLimitsOf('api', config), poolLimitsOf('worker', config)]
  const large = poolLimitsOf('worker', { ...config, DATABASE_POOL_SIZE: 100 })

  assert.deepEqual(api.app, { max: 8, waitMs: 2_000, maxPerTenant: 5, maxWaiting: 200 })
  assert.ok(worker.app.max >= jobSlots / 3 && worker.system.max > api.system.max)
  assert.deepEqual([worker.app.waitMs, worker.system.waitMs, large.app.max], [30_000, 30_000, 100])
})
