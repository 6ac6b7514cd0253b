export { importArchive } from './backups/import-archive.flow.ts'
export { openBackup } from './backups/open-backup.ts'
export { operations } from './operations.module.ts'
