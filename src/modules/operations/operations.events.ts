import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const kind = Type.String({ examples: ['scheduled'] })

export const backupSucceeded = defineEvent('backup.succeeded', {
  resource: 'admin',
  description: 'A backup of the workspace was created and verified',
  data: strict({ id: Id, kind, size_bytes: Type.Integer({ examples: [48_213] }) }),
})
export const backupFailed = defineEvent('backup.failed', {
  resource: 'admin',
  description: 'A backup of the workspace failed',
  data: strict({ id: Id, kind }),
})
export const tenantDataCleaned = defineEvent('tenant.data_cleaned', {
  resource: 'admin',
  description: 'All data of the workspace was deleted',
  data: strict({
    backup_id: nullable(Id),
    rows: Type.Integer({ examples: [1_204] }),
    files: Type.Integer({ examples: [17] }),
  }),
})
