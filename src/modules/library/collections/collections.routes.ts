import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { addCollectionItems, removeCollectionItem, reorderCollectionItems } from './collection-items.service.ts'
import {
  AddedEntries,
  Collection,
  CollectionChanges,
  CollectionFilter,
  CollectionParams,
  CollectionSummary,
  EntryOrder,
  EntryParams,
  NewCollection,
  NewEntries,
  OrderedEntries,
} from './collections.schemas.ts'
import {
  createCollection,
  deleteCollection,
  getCollection,
  listCollections,
  updateCollection,
} from './collections.service.ts'

export const collectionRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/collections/',
      config: { scope: 'collections.read' },
      schema: {
        operationId: 'listCollections',
        summary: 'List collections',
        description: 'Ordered by name. Archived collections are left out unless `include_archived` is `true`.',
        querystring: CollectionFilter,
        response: { 200: pageOf(CollectionSummary) },
      },
      handler: (request) => request.inTenant((tx) => listCollections(tx, services, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/collections/',
      config: { scope: 'collections.write' },
      schema: {
        operationId: 'createCollection',
        summary: 'Create a collection',
        description: 'Names are unique among collections that are not archived, ignoring upper and lower case.',
        body: NewCollection,
        response: { 201: Collection },
      },
      handler: (request) => request.inTenant((tx) => createCollection(tx, services, request.actor, request.body)),
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/collections/:collection_id',
      config: { scope: 'collections.read' },
      schema: {
        operationId: 'getCollection',
        summary: 'Get a collection',
        description:
          'Items in order. An archived item appears as the item that replaces it. Items that the caller cannot see are counted in `hidden_count`.',
        params: CollectionParams,
        response: { 200: Collection },
      },
      handler: (request) => request.inTenant((tx) => getCollection(tx, services, request.params.collection_id)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/collections/:collection_id',
      config: { scope: 'collections.write' },
      schema: {
        operationId: 'updateCollection',
        summary: 'Update a collection',
        description: 'For the owner and managers. `archived: true` makes the collection read-only.',
        params: CollectionParams,
        body: CollectionChanges,
        response: { 200: Collection },
      },
      handler: (request) => {
        const input = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updateCollection(tx, services, request.params.collection_id, input))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/enablement/collections/:collection_id',
      config: { scope: 'collections.delete' },
      schema: {
        operationId: 'deleteCollection',
        summary: 'Delete a collection',
        description: 'For the owner and managers. The content items stay.',
        params: CollectionParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        await request.inTenant((tx) => deleteCollection(tx, request.params.collection_id, expectedVersion(request)))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/collections/:collection_id/items',
      config: { scope: 'collections.write', successStatus: 200 },
      schema: {
        operationId: 'addCollectionItems',
        summary: 'Add items to a collection',
        description: 'Items that are in the collection already stay where they are and are listed in `already`.',
        params: CollectionParams,
        body: NewEntries,
        response: { 200: AddedEntries },
      },
      handler: (request) =>
        request.inTenant((tx) => addCollectionItems(tx, request.params.collection_id, request.body)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/collections/:collection_id/items/reorder',
      config: { scope: 'collections.write', successStatus: 200 },
      schema: {
        operationId: 'reorderCollectionItems',
        summary: 'Reorder items of a collection',
        description:
          '`item_ids` contains all items in their new order. If they differ from the current items, the response is 409 `stale_order` with `current_item_ids`.',
        params: CollectionParams,
        body: EntryOrder,
        response: { 200: OrderedEntries },
      },
      handler: (request) => {
        const { collection_id } = request.params
        return request.inTenant((tx) => reorderCollectionItems(tx, services, collection_id, request.body.item_ids))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/enablement/collections/:collection_id/items/:item_id',
      config: { scope: 'collections.delete' },
      schema: {
        operationId: 'removeCollectionItem',
        summary: 'Remove an item from a collection',
        description: '`item_id` is the id of the content item.',
        params: EntryParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const { collection_id, item_id } = request.params
        await request.inTenant((tx) => removeCollectionItem(tx, collection_id, item_id))
      },
    })
  }
