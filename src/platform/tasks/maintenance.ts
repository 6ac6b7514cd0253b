import { sql } from 'kysely'
import { type Clock, daysLater, systemClock } from '#platform/clock'
import type { SystemTx, TenantTx } from '#platform/db'
import { defineSchedule, defineTenantSchedule, type Schedule, wakeAfterCommit } from '#platform/jobs'
import { taskTopic } from './task.ts'
import { deleteTasksFinishedBefore, requeueLostTasks } from './tasks.queries.ts'

const batchSize = 10_000

export const requeueLostTasksSchedule: Schedule = defineSchedule(
  'platform.requeue_lost_tasks',
  '* * * * *',
  async ({ inSystem, log }) => {
    const lost = await inSystem(async (tx) => {
      const ids = await requeueLostTasks(tx)
      for (const id of ids) wakeAfterCommit(tx, taskTopic(id))
      return ids
    })
    if (lost.length) log.warn({ lost: lost.length }, 'requeued tasks without a worker')
  },
)

type RetentionOptions = { clock?: Clock; getRetentionDays(tx: TenantTx): Promise<number> }

export const deleteOldTasksSchedule = ({ clock = systemClock, getRetentionDays }: RetentionOptions) =>
  defineTenantSchedule('platform.drop_tasks', '17 * * * *', {
    listTenants: listTenantsWithFinishedTasks,
    async runForTenant({ inTenant, log }) {
      const deleted = await inTenant(async (tx) =>
        deleteTasksFinishedBefore(tx, daysLater(clock.now(), -(await getRetentionDays(tx))), batchSize),
      )
      if (deleted) log.info({ deleted }, 'deleted old tasks')
    },
  })

async function listTenantsWithFinishedTasks(tx: SystemTx): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    select distinct tenant_id from platform.background_tasks where finished_at is not null
  `.execute(tx)
  return rows.map(({ tenant_id }) => tenant_id)
}
