import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { RoomParams } from '../room-records/room-fields.schemas.ts'
import { RoomAnalytics, RoomAnalyticsQuery } from './room-analytics.schemas.ts'
import { getRoomAnalytics } from './room-analytics.service.ts'

export const roomAnalyticsRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/rooms/:room_id/analytics',
      config: { scope: 'rooms.read' },
      schema: {
        operationId: 'getRoomAnalytics',
        summary: 'Get analytics of a room',
        description:
          'Visits of at least five active seconds, without those of users of the workspace and of bots. Totals are updated every minute. Only for the owner, collaborators, managers and admins.',
        params: RoomParams,
        querystring: RoomAnalyticsQuery,
        response: { 200: RoomAnalytics },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          getRoomAnalytics(tx, request.actor, request.params.room_id, request.query, clock.now()),
        ),
    })
  }
