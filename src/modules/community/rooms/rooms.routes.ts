import { expectedVersion, type Routes } from '#platform/http'
import { pageOf } from '#platform/schema'
import { listCommunityRooms } from './list-rooms.service.ts'
import { replaceCommunityRoomSettings } from './room-settings.service.ts'
import {
  CommunityRoom,
  CommunityRoomFilter,
  CommunityRoomSettings,
  NewRoomSettings,
  RoomParams,
} from './rooms.schemas.ts'

export const communityRoomRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/community/rooms',
    config: { scope: 'community.read' },
    schema: {
      operationId: 'listCommunityRooms',
      summary: 'List community rooms',
      description:
        'The community rooms that the caller can read, by name. Drafts are listed for moderators: the owner of the room, managers and ' +
        'admins. Rooms are created with `POST /api/enablement/rooms/` and the type `community`.',
      querystring: CommunityRoomFilter,
      response: { 200: pageOf(CommunityRoom) },
    },
    handler: (request) => request.inTenant((tx) => listCommunityRooms(tx, request.actor, request.query)),
  })

  app.route({
    method: 'PUT',
    url: '/api/community/rooms/:room_id/settings',
    config: { scope: 'community.write' },
    schema: {
      operationId: 'replaceCommunityRoomSettings',
      summary: 'Replace the settings of a community room',
      description:
        'Settings that are left out are reset to their defaults. For the owner of the room, managers and admins; only managers and admins can ' +
        'turn on `public_read` or show more of the names of authors. `public_read` does not affect the links of the room.',
      params: RoomParams,
      body: NewRoomSettings,
      response: { 200: CommunityRoomSettings },
    },
    handler: (request) => {
      const input = { settings: request.body, expectedVersion: expectedVersion(request) }
      return request.inTenant((tx) => replaceCommunityRoomSettings(tx, request.actor, request.params.room_id, input))
    },
  })
}
