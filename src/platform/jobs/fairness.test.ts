import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { newId } from '#platform/ids'
import { waitUntil } from '#testing'
import { enqueueAll } from './enqueue.ts'
import { defineJob, defineJobHandler } from './job.ts'
import type { Queue } from './queues.ts'
import { startTestQueue } from './test-queue.fixture.ts'

const { owner, inTenant, startWorker, startListener } = await startTestQueue()

for (const queue of ['events', 'mail', 'bulk'] satisfies Queue[]) {
  test(`a tenant with 500 waiting ${queue} jobs does not delay the jobs of other tenants`, async () => {
    const [greedy, ...others] = Array.from({ length: 20 }, newId)
    const work = defineJob(`test.work_in_${queue}`, queue, Type.Object({}))
    const enqueueJobs = (tenantId: string, count: number) =>
      inTenant(tenantId, (tx) => enqueueAll(tx, work, Array(count).fill({ payload: {} })))
    await enqueueJobs(greedy!, 500)
    for (const [index, tenantId] of others.entries()) await enqueueJobs(tenantId, index < 5 ? 6 : 5)
    const started: string[] = []
    const handler = defineJobHandler(work, async ({ tenantId }) => {
      started.push(tenantId)
      await sleep(2)
    })

    const { stop } = await startWorker([handler], { listener: await startListener() })
    await waitUntil(() => started.length === 600, 20)
    await stop()

    const lastOfOthers = started.findLastIndex((tenantId) => tenantId !== greedy)
    const greedyBefore = started.slice(0, lastOfOthers).filter((tenantId) => tenantId === greedy).length
    assert.equal(started.length - started.filter((tenantId) => tenantId === greedy).length, 100)
    assert.ok(greedyBefore < 350, `${greedyBefore} jobs of the greedy tenant ran first`)
    await owner.query(`delete from pgboss.job_common where name = $1`, [queue])
  })
}
