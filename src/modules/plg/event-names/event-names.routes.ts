import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { EventNameEntry, EventNameQuery } from './event-names.schemas.ts'
import { listEventNames } from './event-names.service.ts'

export const eventNameRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/tenant/plg/event-names',
      config: { scope: 'plg.read' },
      schema: {
        operationId: 'listEventNames',
        summary: 'List event names',
        description: 'Names of the events that the workspace has sent, in alphabetical order.',
        querystring: EventNameQuery,
        response: { 200: pageOf(EventNameEntry) },
      },
      handler: (request) => request.inTenant((tx) => listEventNames(tx, request.query, clock.now())),
    })
  }
