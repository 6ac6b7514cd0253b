import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import { renderWelcome } from '#platform/markdown'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { hashSharePassword } from '../links/share-password.flow.ts'
import { RoomParams } from '../records/room-fields.schemas.ts'
import { deleteRoom } from './change-room-status.service.ts'
import { createRoom } from './create-room.service.ts'
import { Room, RoomSummary } from './room-details.schemas.ts'
import { getRoom, listRooms, toRoomDetails } from './room-details.service.ts'
import { NewRoom, RoomChanges, RoomQuery } from './rooms.schemas.ts'
import { updateRoom } from './update-room.service.ts'

export const roomRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/rooms/',
      config: { scope: 'rooms.read' },
      schema: {
        operationId: 'listRooms',
        summary: 'List rooms',
        description: 'Archived rooms are only listed if `status` contains `archived`.',
        querystring: RoomQuery,
        response: { 200: pageOf(RoomSummary) },
      },
      handler: (request) => request.inTenant((tx) => listRooms(tx, request.actor, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/rooms/',
      config: {
        scope: 'rooms.write',
        oneTimeFields: ['share.share_token', 'share.url', 'links.share_token', 'links.url'],
      },
      schema: {
        operationId: 'createRoom',
        summary: 'Create a room',
        description:
          'Requires `name`. The room is a draft with one link, which visitors can use once the room is active. A room of a deal has the account of the deal. The response to a repeated `Idempotency-Key` does not contain the link.',
        body: NewRoom,
        response: { 201: Room },
      },
      handler: async (request) => {
        const { share, ...input } = request.body
        const hashed = share && (await hashSharePassword(request.tenant.id, share))
        const welcomeHtml = await renderWelcome(input.welcome, { tenantId: request.tenant.id })
        return await request.inTenant(async (tx) => {
          const room = await createRoom(tx, request.actor, { ...input, welcomeHtml, share: hashed }, services)
          return await toRoomDetails(tx, request.actor, room, services)
        })
      },
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/rooms/:room_id',
      config: { scope: 'rooms.read' },
      schema: {
        operationId: 'getRoom',
        summary: 'Get a room',
        description:
          '`share` and `links` are only shown to the owner, collaborators, managers and admins, and require `rooms.write`.',
        params: RoomParams,
        response: { 200: Room },
      },
      handler: (request) => request.inTenant((tx) => getRoom(tx, request.actor, request.params.room_id, services)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/rooms/:room_id',
      config: { scope: 'rooms.write' },
      schema: {
        operationId: 'updateRoom',
        summary: 'Update a room',
        description:
          'Allowed for the owner, editors, managers and admins. `branding` and `settings` change only the given fields. `share` changes the default link; `share.rotate` revokes it and creates a new one.',
        params: RoomParams,
        body: RoomChanges,
        response: { 200: Room },
      },
      handler: async (request) => {
        const { share, ...changes } = request.body
        const hashed = share && (await hashSharePassword(request.tenant.id, share))
        const welcomeHtml = await renderWelcome(changes.welcome, { tenantId: request.tenant.id })
        const version = expectedVersion(request)
        const input = { changes: { ...changes, share: hashed }, welcomeHtml, expectedVersion: version }
        return await request.inTenant(async (tx) => {
          const room = await updateRoom(tx, request.actor, request.params.room_id, input, services)
          return await toRoomDetails(tx, request.actor, room, services)
        })
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/enablement/rooms/:room_id',
      config: { scope: 'rooms.delete' },
      schema: {
        operationId: 'deleteRoom',
        summary: 'Delete a room',
        description: 'Allowed for the owner, managers and admins. Its links stop working at once.',
        params: RoomParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { expectedVersion: expectedVersion(request), now: services.clock.now() }
        await request.inTenant((tx) => deleteRoom(tx, request.actor, request.params.room_id, options))
      },
    })
  }
