import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { toHomeSchema } from './home.schemas.ts'
import { getHome } from './home.service.ts'
import { homePartPoint } from './home-part.ts'

export const homeRoutes =
  ({ clock, registry }: Services): Routes =>
  async (app) => {
    const parts = registry.extensionsOf(homePartPoint)

    app.route({
      method: 'GET',
      url: '/api/home',
      config: { scope: 'users.read', anyCredential: true, tag: 'home' },
      schema: {
        operationId: 'getHome',
        summary: 'Get your home page',
        description:
          'What the current user has to do: due tasks, leads without a first response, deals that close soon, the last visits to ' +
          'own rooms, and own campaigns and cadences. Each part has at most 6 items and is null without its scopes.',
        response: { 200: toHomeSchema(parts) },
      },
      handler: (request) => request.inTenant((tx) => getHome(tx, request.actor, parts, clock.now())),
    })
  }
