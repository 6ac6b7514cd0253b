export { importArchive } from './backups/import-archive.flow.ts'
export { openBackup } from './backups/open-backup.ts'
export { operations } from './operations.module.ts'
export { describeWebhooks } from './webhook-catalogue/webhook-catalogue.rules.ts'
