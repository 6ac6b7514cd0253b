import { sql } from 'kysely'
import { type Clock, daysLater, systemClock } from '#platform/clock'
import type { SystemTx, TenantTx } from '#platform/db'
import { defineSchedule, type Schedule, wakeAfterCommit } from '#platform/jobs'
import { requeueLostTasks } from './lost-tasks.queries.ts'
import { topicOf } from './task.ts'
import { deleteTasksFinishedBefore } from './tasks.queries.ts'

const atOnce = 10_000

/** A task says that it runs only while somebody runs it. */
export const requeueingLostTasks: Schedule = defineSchedule(
  'platform.requeue_lost_tasks',
  '* * * * *',
  async ({ inSystem, log }) => {
    const lost = await inSystem(async (tx) => {
      const ids = await requeueLostTasks(tx)
      for (const id of ids) wakeAfterCommit(tx, topicOf(id))
      return ids
    })
    if (lost.length) log.warn({ lost: lost.length }, 'tasks lost their worker')
  },
)

type Retention = { clock?: Clock; daysKept(tx: TenantTx): Promise<number> }

/** Finished tasks go when their workspace no longer wants to keep them. */
export const droppingTasks = ({ clock = systemClock, daysKept }: Retention): Schedule =>
  defineSchedule('platform.drop_tasks', '17 * * * *', async ({ inSystem, inTenant, signal, log }) => {
    for (const tenantId of await inSystem(listTenantsWithFinishedTasks)) {
      if (signal.aborted) return
      const dropped = await inTenant(tenantId, async (tx) =>
        deleteTasksFinishedBefore(tx, daysLater(clock.now(), -(await daysKept(tx))), atOnce),
      )
      if (dropped) log.info({ tenant_id: tenantId, dropped }, 'old tasks were dropped')
    }
  })

async function listTenantsWithFinishedTasks(tx: SystemTx): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    select distinct tenant_id from platform.background_tasks where finished_at is not null
  `.execute(tx)
  return rows.map(({ tenant_id }) => tenant_id)
}
