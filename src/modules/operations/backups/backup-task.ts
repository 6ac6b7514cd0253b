import { Id, strict } from '#platform/schema'
import { defineTask } from '#platform/tasks'

export const createBackupTask = defineTask('operations.create_backup', 'backups', strict({ backup_id: Id }))
