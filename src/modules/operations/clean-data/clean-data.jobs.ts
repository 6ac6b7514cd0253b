import { listTenantsInMaintenance } from '#modules/identity'
import { systemActor } from '#platform/access'
import { enterTenant } from '#platform/db'
import { defineSchedule, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { defineTaskHandler, findOpenTask, type TaskContext } from '#platform/tasks'
import { cleanDataTask, restoreBackupTask } from '../backups/open-backup.ts'
import { abandonRestore } from '../restore/restore.service.ts'
import { restoringReason } from '../restore/restoring-reason.ts'
import { type CleaningProgress, cleanData } from './clean-data.flow.ts'
import { abandonCleaning } from './clean-data.service.ts'
import { cleaningReason } from './cleaning-reason.ts'

export const cleanDataHandler = (services: Services): JobHandler =>
  defineTaskHandler(cleanDataTask, (context: TaskContext<CleaningProgress>, payload) =>
    cleanData(services, context, payload),
  )

const endings = [
  { reason: cleaningReason, task: cleanDataTask, abandon: abandonCleaning },
  { reason: restoringReason, task: restoreBackupTask, abandon: abandonRestore },
]

/** Ends the maintenance of workspaces whose cleaning or restore was cancelled before its start or whose workers died. */
export const endLostCleaningsSchedule = defineSchedule(
  'operations.end_lost_cleanings',
  '* * * * *',
  async ({ inSystem, log }) => {
    for (const { reason, task, abandon } of endings)
      for (const tenantId of await inSystem((tx) => listTenantsInMaintenance(tx, reason))) {
        const isLost = await inSystem(async (system) => {
          const tx = await enterTenant(system, systemActor(tenantId))
          if (await findOpenTask(tx, task)) return false
          await abandon(tx)
          return true
        })
        if (isLost) log.warn({ tenant_id: tenantId, reason }, 'ended maintenance without a task')
      }
  },
)
