import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import { renderBody } from '#platform/markdown'
import { RoomParams } from '../records/room-fields.schemas.ts'
import { addCollectionToRoom } from './add-collection.service.ts'
import { AddedCollection, NewRoomItem, RoomItem, RoomItemChanges, RoomItemParams } from './items.schemas.ts'
import { createRoomItem, deleteRoomItem, updateRoomItem } from './items.service.ts'

export const roomItemRoutes: Routes = async (app) => {
  app.route({
    method: 'POST',
    url: '/api/enablement/rooms/:room_id/content',
    config: { scope: 'rooms.write' },
    schema: {
      operationId: 'createRoomItem',
      summary: 'Add an item to a room',
      description:
        'A content item (published, or an own draft), a link with `url` and `title`, a text with `body` and `title`, or all content of ' +
        'a collection that can be shared. A room can have 200 items.',
      params: RoomParams,
      body: NewRoomItem,
      response: { 201: Type.Union([RoomItem, AddedCollection]) },
    },
    handler: async (request) => {
      const { collection_id, ...item } = request.body
      const { room_id } = request.params
      const bodyHtml = await renderBody(item.body, { tenantId: request.tenant.id })
      return await request.inTenant(async (tx) => {
        if (collection_id) return await addCollectionToRoom(tx, request.actor, room_id, { ...item, collection_id })
        return await createRoomItem(tx, request.actor, room_id, item, bodyHtml)
      })
    },
  })

  app.route({
    method: 'PATCH',
    url: '/api/enablement/rooms/:room_id/content/:item_id',
    config: { scope: 'rooms.write' },
    schema: {
      operationId: 'updateRoomItem',
      summary: 'Update an item of a room',
      description: '`item_id` is the id of the room item. Its kind and content item cannot change.',
      params: RoomItemParams,
      body: RoomItemChanges,
      response: { 200: RoomItem },
    },
    handler: async (request) => {
      const { room_id: roomId, item_id: itemId } = request.params
      const bodyHtml = await renderBody(request.body.body, { tenantId: request.tenant.id })
      const input = { changes: request.body, bodyHtml, expectedVersion: expectedVersion(request) }
      return await request.inTenant((tx) => updateRoomItem(tx, request.actor, { roomId, itemId }, input))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/api/enablement/rooms/:room_id/content/:item_id',
    config: { scope: 'rooms.delete' },
    schema: {
      operationId: 'deleteRoomItem',
      summary: 'Remove an item from a room',
      description: '`item_id` is the id of the room item. The content item is kept.',
      params: RoomItemParams,
      response: { 204: Type.Null() },
    },
    handler: async (request) => {
      const { room_id: roomId, item_id: itemId } = request.params
      await request.inTenant((tx) => deleteRoomItem(tx, request.actor, { roomId, itemId }))
    },
  })
}
