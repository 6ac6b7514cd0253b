import { definePresenter } from '#platform/module'
import { listBackupsById } from './backups.queries.ts'
import { Backup } from './backups.schemas.ts'
import { toBackup } from './backups.service.ts'

export const backupPresenter = definePresenter({
  subjectType: 'backup',
  schema: Backup,
  list: async (tx, ids) => (await listBackupsById(tx, ids)).map((row) => [row.id, toBackup(row)]),
})
