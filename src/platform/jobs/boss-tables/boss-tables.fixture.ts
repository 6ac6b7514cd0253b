import { beforeEach } from 'node:test'
import { Type } from 'typebox'
import { inSystem, type SystemTx } from '#platform/db'
import { newId } from '#platform/ids'
import { enqueue } from '../enqueue.ts'
import { defineJob, type JobData } from '../job.ts'
import { startTestQueue } from '../test-queue.fixture.ts'

/** Starts a queue and calls pg-boss directly, as its worker does. Every test begins without jobs. */
export async function startBossTables() {
  const testQueue = await startTestQueue()
  const { owner, jobQueue, systemDb, inTenant } = testQueue
  const boss = jobQueue.getBoss()
  const queue = 'media'
  const [acme, globex] = [newId(), newId()]
  const job = defineJob('test.job', queue, Type.Object({ number: Type.Optional(Type.Integer()) }))
  beforeEach(() => owner.query('delete from pgboss.job'))

  const add = (tenantId = acme, singletonKey?: string) =>
    inTenant(tenantId, (tx) => enqueue(tx, job, {}, { singletonKey }))
  const claim = () => boss.fetch<JobData>(queue, { batchSize: 10, includeMetadata: true })

  async function claimNew(tenantId = acme) {
    await add(tenantId)
    const [claimed] = await claim()
    return claimed!
  }

  async function addDead(tenantId = acme): Promise<void> {
    const { id } = await claimNew(tenantId)
    await owner.query('update pgboss.job_common set retry_limit = 0 where id = $1', [id])
    await boss.fail(queue, id, { name: 'Error', message: 'no' })
  }

  return {
    ...testQueue,
    boss,
    db: boss.getDb(),
    queue,
    acme,
    globex,
    job,
    add,
    claim,
    claimNew,
    addDead,
    asSystem: <T>(work: (tx: SystemTx) => Promise<T>) => inSystem(systemDb, work),
    makeDue: () => owner.query('update pgboss.job_common set start_after = now()'),
  } as const
}
