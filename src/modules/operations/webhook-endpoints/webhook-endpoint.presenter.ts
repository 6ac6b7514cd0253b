import { definePresenter } from '#platform/module'
import { listEndpointRowsById } from './webhook-endpoints.queries.ts'
import { toEndpoint } from './webhook-endpoints.rules.ts'
import { WebhookEndpoint } from './webhook-endpoints.schemas.ts'

export const webhookEndpointPresenter = definePresenter({
  subjectType: 'webhook_endpoint',
  schema: WebhookEndpoint,
  async list(tx, ids) {
    const rows = await listEndpointRowsById(tx, ids)
    return rows.map((row) => [row.id, toEndpoint(row, { canSeeTokens: false })] as const)
  },
})
