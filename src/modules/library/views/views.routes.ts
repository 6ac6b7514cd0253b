import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { ContentView, ViewHeartbeat, ViewParams } from './views.schemas.ts'
import { updateContentView } from './views.service.ts'

export const contentViewRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'PATCH',
      url: '/api/enablement/content/views/:view_id',
      config: { scope: 'content.write' },
      schema: {
        operationId: 'updateContentView',
        summary: 'Update a content view',
        description:
          'Heartbeat of an own view, about every 15 seconds. `active_seconds` is cumulative, so a repeated heartbeat changes nothing. Fails with 409 `view_closed` after 30 minutes without one.',
        params: ViewParams,
        body: ViewHeartbeat,
        response: { 200: ContentView },
      },
      handler: (request) => {
        const input = { heartbeat: request.body, now: clock.now() }
        return request.inTenant((tx) => updateContentView(tx, request.actor, request.params.view_id, input))
      },
    })
  }
