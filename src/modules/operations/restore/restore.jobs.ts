import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { defineTaskHandler, type TaskContext } from '#platform/tasks'
import { restoreBackupTask } from '../backups/open-backup.ts'
import { type RestoreProgress, runRestore } from './restore.flow.ts'

export const restoreBackupHandler = (services: Services): JobHandler =>
  defineTaskHandler(restoreBackupTask, (context: TaskContext<RestoreProgress>, { backup_id }) =>
    runRestore(services, context, backup_id),
  )
