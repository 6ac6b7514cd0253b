import type { PgBoss } from 'pg-boss'
import { afterCommit, createInstanceState, type InstanceMember, type SystemTx, type TenantTx } from '#platform/db'
import { openBoss } from './boss.ts'
import type { JobLog } from './job.ts'
import { createWakeSender } from './wake.ts'

export type JobQueue = {
  /** Connects for enqueueing jobs; `startJobWorker` runs them. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Notifies the consumers of a topic in all processes; without effect while the queue is not started. */
  wake(topic: string): void
  getBoss(): PgBoss
}

const jobQueues = createInstanceState<JobQueue>('job queue')

type Options = { db?: InstanceMember; systemUrl: string; log?: JobLog }

/** Creates a job queue. The transactions of the application that `db` belongs to use it. */
export function createJobQueue({ db, systemUrl, log }: Options): JobQueue {
  let boss: PgBoss | undefined
  const queue: JobQueue = {
    async start() {
      boss = await openBoss({ systemUrl, applicationName: 'tributary jobs', max: 2, log })
    },
    async stop() {
      const stopping = boss
      boss = undefined
      await stopping?.stop({ graceful: false })
    },
    wake: createWakeSender(() => boss?.getDb()),
    getBoss() {
      if (!boss) throw new Error('The job queue is not started.')
      return boss
    },
  }
  if (db) jobQueues.attach(db, queue)
  return queue
}

export const getJobQueue = (tx: TenantTx | SystemTx): JobQueue => jobQueues.get(tx)

// NOTIFY inside the transaction would serialize all commits of the server on one lock. A notification that is lost after
// the commit only costs time, because consumers also poll.
export function wakeAfterCommit(tx: TenantTx | SystemTx, topic: string): void {
  const queue = jobQueues.find(tx)
  if (queue) afterCommit(tx, () => queue.wake(topic))
}
