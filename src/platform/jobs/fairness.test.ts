import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { newId } from '#platform/ids'
import { enqueue } from './enqueue.ts'
import { defineJob, handleJob } from './job.ts'
import type { Queue } from './queues.ts'
import { startTestWorkshop, until } from './workshop.fixture.ts'

const { owner, inTenant, startWorker, startListener } = await startTestWorkshop()

for (const queue of ['events', 'mail', 'bulk'] satisfies Queue[]) {
  test(`a tenant with 900 jobs ahead of everybody does not keep the others of ${queue} waiting`, async () => {
    const [greedy, ...others] = Array.from({ length: 20 }, newId)
    const work = defineJob(`test.work_in_${queue}`, queue, Type.Object({}))
    const order = (tenantId: string, count: number) =>
      inTenant(tenantId, async (tx) => {
        for (let done = 0; done < count; done++) await enqueue(tx, work, {})
      })
    await order(greedy!, 900)
    for (const [index, tenantId] of others.entries()) await order(tenantId, index < 5 ? 6 : 5)
    const started: string[] = []
    const handler = handleJob(work, async ({ tenantId }) => {
      started.push(tenantId)
      await sleep(2)
    })

    const { stop } = await startWorker([handler], { listener: await startListener() })
    await until(() => started.length === 1_000, 20)
    await stop()

    const lastOfOthers = started.findLastIndex((tenantId) => tenantId !== greedy)
    const greedyBefore = started.slice(0, lastOfOthers).filter((tenantId) => tenantId === greedy).length
    assert.equal(started.length - started.filter((tenantId) => tenantId === greedy).length, 100)
    assert.ok(greedyBefore < 350, `${greedyBefore} jobs of the greedy tenant came first`)
    await owner.query(`delete from pgboss.job_common where name = $1`, [queue])
  })
}
