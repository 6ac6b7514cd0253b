import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { RoomParams } from '../records/room-fields.schemas.ts'
import { RoomAnalytics, RoomAnalyticsQuery } from './analytics.schemas.ts'
import { getRoomAnalytics } from './analytics.service.ts'
import { RoomVisitQuery, RoomVisitSummary } from './list-visits.schemas.ts'
import { listRoomVisits } from './list-visits.service.ts'

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
          'Visits of at least five active seconds, without those of users of the workspace and of bots. Totals are updated every minute. Only for the owner, collaborators, managers and admins. ' +
          'The email address of a visitor who is a contact is null without the scope `contacts.read`.',
        params: RoomParams,
        querystring: RoomAnalyticsQuery,
        response: { 200: RoomAnalytics },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          getRoomAnalytics(tx, request.actor, request.params.room_id, request.query, clock.now()),
        ),
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/rooms/:room_id/visits',
      config: { scope: 'rooms.read' },
      schema: {
        operationId: 'listRoomVisits',
        summary: 'List visits of a room',
        description:
          'Visits of at least five active seconds with what the visitor opened, newest first, without those of bots. Only for the owner, collaborators, managers and admins. ' +
          'The email address of a visitor who is a contact is null without the scope `contacts.read`.',
        params: RoomParams,
        querystring: RoomVisitQuery,
        response: { 200: pageOf(RoomVisitSummary) },
      },
      handler: (request) =>
        request.inTenant((tx) => listRoomVisits(tx, request.actor, request.params.room_id, request.query)),
    })
  }
