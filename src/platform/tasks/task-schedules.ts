import { sql } from 'kysely'
import { type Clock, daysLater, systemClock } from '#platform/clock'
import { listTenantsWithRows, type TenantTx } from '#platform/db'
import {
  defineSchedule,
  defineTenantSchedule,
  listRunningPayloadValues,
  type Schedule,
  wakeAfterCommit,
} from '#platform/jobs'
import { taskTopic } from './task.ts'
import { deleteTasksFinishedBefore, requeueLostTasks } from './tasks.queries.ts'

const batchSize = 10_000

export const requeueLostTasksSchedule: Schedule = defineSchedule(
  'platform.requeue_lost_tasks',
  '* * * * *',
  async ({ inSystem, log }) => {
    const lost = await inSystem(async (tx) => {
      const ids = await requeueLostTasks(tx, await listRunningPayloadValues(tx, 'task_id'))
      for (const id of ids) wakeAfterCommit(tx, taskTopic(id))
      return ids
    })
    if (lost.length) log.warn({ lost: lost.length }, 'requeued tasks without a worker')
  },
)

type RetentionOptions = { clock?: Clock; minRetentionDays: number; getRetentionDays(tx: TenantTx): Promise<number> }

export const deleteOldTasksSchedule = ({ clock = systemClock, minRetentionDays, getRetentionDays }: RetentionOptions) =>
  defineTenantSchedule('platform.delete_tasks', '17 * * * *', {
    listTenants: (tx) => {
      const before = daysLater(clock.now(), -minRetentionDays)
      return listTenantsWithRows(tx, 'platform.background_tasks', sql`finished_at < ${before}`)
    },
    async runForTenant({ inTenant, log }) {
      const deleted = await inTenant(async (tx) =>
        deleteTasksFinishedBefore(tx, daysLater(clock.now(), -(await getRetentionDays(tx))), batchSize),
      )
      if (deleted) log.info({ deleted }, 'deleted old tasks')
    },
  })
