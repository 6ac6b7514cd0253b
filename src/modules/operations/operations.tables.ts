import type { Tables } from '#platform/module'
import { unexportedEndpointColumns } from './webhook-endpoints/webhook-endpoints.queries.ts'

export const operationsTables: Tables = {
  'operations.backups': {
    export: 'skip',
    clean: 'never',
    purge_after: { column: 'expires_at', days: 90 },
  },
  'operations.integrity_reports': { export: 'skip', clean: 'never' },
  'operations.sample_batches': { export: 'skip', clean: 'business' },
  'operations.sample_records': { export: 'skip', clean: 'business' },
  'operations.webhook_deliveries': {
    export: 'skip',
    clean: 'business',
    personal: ['event'],
    purge_after: { column: 'id', days: { setting: 'retention.webhook_delivery_days' } },
  },
  'operations.webhook_endpoints': {
    export: { redact: unexportedEndpointColumns, urls: ['url'] },
    clean: 'configuration',
    audit_label: 'url',
    secrets: [
      { ciphertext: 'secret', kid: 'secret_kid', row: 'id' },
      { ciphertext: 'previous_secret', kid: 'previous_secret_kid', row: 'id', location: 'secret' },
    ],
  },
  'platform.background_tasks': {
    export: 'skip',
    clean: 'never',
    audit_label: 'title',
    personal: ['title', 'result'],
    purge_after: { column: 'finished_at', days: { setting: 'retention.task_days' }, by: 'own_schedule' },
  },
  'platform.notifications': {
    export: 'skip',
    clean: 'business',
    personal: ['payload'],
    purge_after: { column: 'created_at', days: 90, by: 'own_schedule' },
  },
}
