import { listTenantsInMaintenance } from '#modules/identity'
import { systemActor } from '#platform/access'
import { enterTenant } from '#platform/db'
import { defineSchedule, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { defineTaskHandler, findOpenTask, type TaskContext } from '#platform/tasks'
import { cleanDataTask } from '../backups/backup-task.ts'
import { type CleaningProgress, cleanData } from './clean-data.flow.ts'
import { abandonCleaning } from './clean-data.service.ts'
import { cleaningReason } from './cleaning-reason.ts'

export const cleanDataHandler = (services: Services): JobHandler =>
  defineTaskHandler(cleanDataTask, (context: TaskContext<CleaningProgress>, payload) =>
    cleanData(services, context, payload),
  )

/** Ends the maintenance of workspaces whose cleaning was cancelled before its start or whose workers died. */
export const endLostCleaningsSchedule = defineSchedule(
  'operations.end_lost_cleanings',
  '* * * * *',
  async ({ inSystem, log }) => {
    for (const tenantId of await inSystem((tx) => listTenantsInMaintenance(tx, cleaningReason))) {
      const isLost = await inSystem(async (system) => {
        const tx = await enterTenant(system, systemActor(tenantId))
        if (await findOpenTask(tx, cleanDataTask)) return false
        await abandonCleaning(tx)
        return true
      })
      if (isLost) log.warn({ tenant_id: tenantId }, 'ended the maintenance of a cleaning without a task')
    }
  },
)
