import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { listSellerReadiness } from './list-readiness.service.ts'
import { ReadinessDetails, ReadinessList, ReadinessParams, ReadinessQuery } from './readiness.schemas.ts'
import { getSellerReadiness } from './readiness.service.ts'

export const readinessRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/readiness',
      config: { scope: 'insights.read' },
      schema: {
        operationId: 'listSellerReadiness',
        summary: 'List the readiness of sellers',
        description:
          'The lowest scores first, with a summary over all listed users and their teams. Managers and admins see all users, leads the members of their teams, others themselves. Users of the page whose records have changed are calculated for the response. Periods and due dates are days of the workspace.',
        querystring: ReadinessQuery,
        response: { 200: ReadinessList },
      },
      handler: (request) =>
        request.inTenant((tx) => listSellerReadiness(tx, request.actor, request.query, clock.now())),
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/readiness/:user_id',
      config: { scope: 'insights.read' },
      schema: {
        operationId: 'getSellerReadiness',
        summary: 'Get the readiness of a user',
        description:
          'For the user, leads of a team of the user, managers and admins. The score is the weighted average of the components that apply: mandatory learning, practice of the last 90 days, assigned pitches, and use of content in the last 30 days. Weights and targets are in the settings (`enablement.readiness`).',
        params: ReadinessParams,
        response: { 200: ReadinessDetails },
      },
      handler: (request) =>
        request.inTenant((tx) => getSellerReadiness(tx, request.actor, request.params.user_id, clock.now())),
    })
  }
