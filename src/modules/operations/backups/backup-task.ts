import { Type } from 'typebox'
import { Id, nullable, strict } from '#platform/schema'
import { defineTask } from '#platform/tasks'

export const createBackupTask = defineTask('operations.create_backup', 'backups', strict({ backup_id: Id }))

const CleanDataPayload = strict({ backup_id: nullable(Id), keep_configuration: Type.Boolean() })

/** Begins with a backup. The queue `maintenance` also runs for workspaces in maintenance. */
export const cleanDataTask = defineTask('operations.clean_data', 'maintenance', CleanDataPayload)

/** Runs for workspaces in maintenance, as the cleaning does. */
export const restoreBackupTask = defineTask('operations.restore_backup', 'maintenance', strict({ backup_id: Id }))
