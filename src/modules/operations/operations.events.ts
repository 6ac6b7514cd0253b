import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict, Timestamp } from '#platform/schema'

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
export const tenantDataRestored = defineEvent('tenant.data_restored', {
  resource: 'admin',
  description: 'A backup of the workspace was restored',
  data: strict({
    backup_id: Id,
    rows: Type.Integer({ examples: [1_204] }),
    files: Type.Integer({ examples: [17] }),
  }),
})
const stopped = Type.Integer({ examples: [3] })

export const tenantSendersStopped = defineEvent('tenant.senders_stopped', {
  resource: 'admin',
  description:
    'Active cadences, enrollments of segments in cadences, open survey distributions and queued marketing emails were stopped, because their records come from a backup',
  data: strict({ cadences: stopped, flows: stopped, distributions: stopped, emails: stopped }),
})

const url = Type.String({ maxLength: 2_048 })

export const webhookEndpointCreated = defineEvent('webhook_endpoint.created', {
  resource: 'webhooks',
  description: 'A webhook endpoint was created',
  data: strict({ url }),
})
export const webhookEndpointUpdated = defineEvent('webhook_endpoint.updated', {
  resource: 'webhooks',
  description: 'A webhook endpoint was changed',
  data: strict({ changed: Type.Array(Type.String()) }),
})
export const webhookEndpointDeleted = defineEvent('webhook_endpoint.deleted', {
  resource: 'webhooks',
  description: 'A webhook endpoint was deleted',
  data: strict({ url }),
})
export const webhookEndpointDisabled = defineEvent('webhook_endpoint.disabled', {
  resource: 'webhooks',
  description:
    'A webhook endpoint was disabled by a user, by its server, because all deliveries failed for five days or because its owner was deactivated or lost `webhooks.write`',
  data: strict({ reason: Type.Enum(['manual', 'gone', 'failing', 'owner_deactivated', 'owner_role_changed']) }),
})
export const webhookSecretRotated = defineEvent('webhook_endpoint.secret_rotated', {
  resource: 'webhooks',
  description: 'A webhook endpoint got a new secret',
  data: strict({ previous_valid_until: nullable(Timestamp) }),
})
export const webhookTest = defineEvent('webhook.test', {
  resource: 'webhooks',
  description: 'A test of a webhook endpoint, sent on request',
  data: strict({ endpoint_id: Id }),
})
