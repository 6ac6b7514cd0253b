import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, strict } from '#platform/schema'

const kind = Type.String()

export const backupSucceeded = defineEvent('backup.succeeded', {
  resource: 'admin',
  description: 'A backup of the workspace was created and verified',
  data: strict({ id: Id, kind, size_bytes: Type.Integer() }),
})
export const backupFailed = defineEvent('backup.failed', {
  resource: 'admin',
  description: 'A backup of the workspace failed',
  data: strict({ id: Id, kind }),
})
