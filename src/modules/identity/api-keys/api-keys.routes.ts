import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { CreatedApiKey, NewApiKey } from './api-keys.schemas.ts'
import { createApiKey } from './api-keys.service.ts'

export const apiKeyRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/api-keys',
      config: { signedIn: true, withheld: ['key'], tag: 'auth' },
      schema: {
        operationId: 'createApiKey',
        summary: 'Make an API key',
        description: 'The key itself is in this answer and never shown again.',
        body: NewApiKey,
        response: { 201: CreatedApiKey },
      },
      handler: (request) => request.inTenant((tx) => createApiKey(tx, request.actor, request.body, services)),
    })
  }
