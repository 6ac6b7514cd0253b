import type { PgBoss } from 'pg-boss'
import { heartbeatSeconds, openBoss } from './boss.ts'
import { grantTableAccess } from './boss-tables/table-access.queries.ts'
import { deadLetterQueueOf, type Queue, queueOptions, queues, scheduleQueue } from './queues.ts'

const hour = 3_600
const day = 24 * hour

export async function installJobQueues(systemUrl: string): Promise<void> {
  const boss = await openBoss({ systemUrl, applicationName: 'tributary migrate', max: 1, isInstalling: true })
  try {
    for (const queue of queues) await installQueue(boss, queue)
    await installSchedules(boss)
    await grantTableAccess(boss.getDb())
  } finally {
    await boss.stop({ graceful: false })
  }
}

async function installQueue(boss: PgBoss, queue: Queue): Promise<void> {
  const deadLetters = { retentionSeconds: 90 * day, deleteAfterSeconds: day }
  const { retryLimit, retryDelay = 1, expireInSeconds } = queueOptions[queue]
  const settings = {
    notify: false,
    retryLimit,
    retryDelay,
    retryBackoff: true,
    retryDelayMax: 600,
    heartbeatSeconds,
    expireInSeconds,
    retentionSeconds: 30 * day,
    deleteAfterSeconds: hour,
    deadLetter: deadLetterQueueOf(queue),
  }
  await boss.createQueue(deadLetterQueueOf(queue), deadLetters)
  await boss.updateQueue(deadLetterQueueOf(queue), deadLetters)
  await boss.createQueue(queue, settings)
  await boss.updateQueue(queue, settings)
}

/** Creates the schedule queue: at most one run of a schedule waits or runs across all processes. */
async function installSchedules(boss: PgBoss): Promise<void> {
  const settings = {
    retryLimit: 3,
    retryDelay: 1,
    heartbeatSeconds,
    expireInSeconds: hour,
    retentionSeconds: hour,
    deleteAfterSeconds: 30 * day,
  }
  await boss.createQueue(scheduleQueue, { policy: 'exclusive', ...settings })
  await boss.updateQueue(scheduleQueue, settings)
}
