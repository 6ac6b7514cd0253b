import type { PgBoss } from 'pg-boss'
import {
  afterCommit,
  createInstanceState,
  type InstanceMember,
  type Listener,
  type SystemTx,
  type TenantTx,
} from '#platform/db'
import { openBoss, type QueueDb } from './boss.ts'
import type { JobLog } from './job.ts'

const channel = 'tributary_wake'
const minIntervalMs = 8
/** PostgreSQL rejects a payload of 8,000 bytes or more. */
const maxPayloadBytes = 7_900

/** Creates a function that sends the topics of several calls in one notification. */
function createWakeSender(findDb: () => QueueDb | undefined): (topic: string) => void {
  const pendingTopics = new Set<string>()
  let isScheduled = false
  let lastSentAt = 0

  function send(): void {
    const payloads = joinTopics(pendingTopics)
    pendingTopics.clear()
    isScheduled = false
    lastSentAt = Date.now()
    const notify = 'select pg_notify($1, payload) from unnest($2::text[]) as payload'
    const notified = findDb()?.executeSql(notify, [channel, payloads])
    notified?.catch(() => {})
  }

  return (topic) => {
    pendingTopics.add(topic)
    if (isScheduled) return
    isScheduled = true
    setTimeout(send, Math.max(0, lastSentAt + minIntervalMs - Date.now()))
  }
}

function joinTopics(topics: Iterable<string>): string[] {
  const payloads: string[] = []
  for (const topic of topics) {
    const joined = payloads.length ? `${payloads.at(-1)},${topic}` : topic
    if (payloads.length && Buffer.byteLength(joined) <= maxPayloadBytes) payloads[payloads.length - 1] = joined
    else payloads.push(topic)
  }
  return payloads
}

export async function onWake(listener: Listener, callback: (topic: string) => void): Promise<void> {
  await listener.on(channel, (topics) => {
    for (const topic of topics.split(',')) callback(topic)
  })
}

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
