import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { defineTaskHandler, type TaskContext } from '#platform/tasks'
import { restoreBackupTask } from '../backups/backup-task.ts'
import { runRestore } from './restore.flow.ts'
import type { RestoreResult } from './restore.service.ts'

export const restoreBackupHandler = (services: Services): JobHandler =>
  defineTaskHandler(restoreBackupTask, (context: TaskContext<RestoreResult>, { backup_id }) =>
    runRestore(services, context, backup_id),
  )
