import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { listOf } from '#platform/schema'
import { listWebhookEventTypes } from './webhook-catalogue.rules.ts'
import { WebhookEventType } from './webhook-catalogue.schemas.ts'

export const webhookCatalogueRoutes =
  ({ registry }: Pick<Services, 'registry'>): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/webhooks/event-types',
      config: { scope: 'webhooks.read' },
      schema: {
        operationId: 'listWebhookEventTypes',
        summary: 'List webhook event types',
        description: 'All events that webhooks can be sent for, sorted by type, with an example payload each.',
        response: { 200: listOf(WebhookEventType) },
      },
      handler: async () => listWebhookEventTypes(registry),
    })
  }
