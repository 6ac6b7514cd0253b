import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { RoomParams } from '../records/room-fields.schemas.ts'
import { NewRoomLink, RoomLink, RoomLinkChanges, RoomLinkParams } from './links.schemas.ts'
import { createRoomLink, toRoomLinks, updateRoomLink } from './links.service.ts'
import { hashSharePassword } from './share-password.flow.ts'

export const roomLinkRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/enablement/rooms/:room_id/links',
      config: { scope: 'rooms.write', oneTimeFields: ['share_token', 'url'] },
      schema: {
        operationId: 'createRoomLink',
        summary: 'Create a link to a room',
        description:
          'Each link has its own access rules, password and expiry. Visitors can use it while the room is active: for a draft the response is ' +
          '404, for a closed or archived room 410. A room can have 200 links that are not revoked. The response to a repeated ' +
          '`Idempotency-Key` does not contain the URL; get the room instead.',
        params: RoomParams,
        body: NewRoomLink,
        response: { 201: RoomLink },
      },
      handler: async (request) => {
        const input = await hashSharePassword(request.tenant.id, request.body)
        return await request.inTenant(async (tx) => {
          const link = await createRoomLink(tx, request.actor, request.params.room_id, input, services)
          return (await toRoomLinks(tx, [link], services))[0]!
        })
      },
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/rooms/:room_id/links/:link_id',
      config: { scope: 'rooms.write' },
      schema: {
        operationId: 'updateRoomLink',
        summary: 'Update a link to a room',
        description: '`revoked` ends all visits through the link and cannot be undone.',
        params: RoomLinkParams,
        body: RoomLinkChanges,
        response: { 200: RoomLink },
      },
      handler: async (request) => {
        const changes = await hashSharePassword(request.tenant.id, request.body)
        const { room_id: roomId, link_id: linkId } = request.params
        const input = { changes, expectedVersion: expectedVersion(request) }
        return await request.inTenant(async (tx) => {
          const link = await updateRoomLink(tx, request.actor, { roomId, linkId }, input, services)
          return (await toRoomLinks(tx, [link], services))[0]!
        })
      },
    })
  }
