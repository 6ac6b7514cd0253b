import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import { maxContentHtmlLength, renderBody } from '#platform/markdown'
import type { Services } from '#platform/module'
import { listOf, pageOf } from '#platform/schema'
import { listCategories } from './content.queries.ts'
import {
  ContentCategory,
  ContentChanges,
  ContentFilter,
  ContentItem,
  ContentReview,
  ContentSummary,
  ItemParams,
  NewContentItem,
  TrackQuery,
  ViewedContentItem,
} from './content.schemas.ts'
import { contentUsePoint } from './content-use.ts'
import { createContentItem } from './create-content.service.ts'
import { deleteContentItem, type RemoveContentEntries } from './delete-content.service.ts'
import { getContentItem, listContent } from './get-content.service.ts'
import { updateContentItem } from './update-content.service.ts'
import { verifyContentItem } from './verify-content.service.ts'
import { readViewer } from './viewer.service.ts'

export const contentRoutes =
  (services: Services, { removeEntries }: { removeEntries: readonly RemoveContentEntries[] }): Routes =>
  async (app) => {
    const assertUnused = services.registry.extensionsOf(contentUsePoint)

    app.route({
      method: 'GET',
      url: '/api/enablement/content/',
      config: { scope: 'content.read' },
      schema: {
        operationId: 'listContent',
        summary: 'List content',
        description:
          'Published items unless `status` says otherwise. Drafts and archived items are visible to their owner and to managers.',
        querystring: ContentFilter,
        response: { 200: pageOf(ContentSummary) },
      },
      handler: (request) => request.inTenant((tx) => listContent(tx, services, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/content/',
      config: { scope: 'content.write' },
      schema: {
        operationId: 'createContentItem',
        summary: 'Create a content item',
        description: 'Creates a draft. Only managers can choose another owner or make the item public.',
        body: NewContentItem,
        response: { 201: ContentItem },
      },
      handler: async (request) => {
        const bodyHtml = await renderBody(request.body.body, {
          tenantId: request.tenant.id,
          maxLength: maxContentHtmlLength,
        })
        return await request.inTenant((tx) => createContentItem(tx, services, request.actor, request.body, bodyHtml))
      },
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/content/categories',
      config: { scope: 'content.read' },
      schema: {
        operationId: 'listContentCategories',
        summary: 'List content categories',
        description: 'Categories of published items that the caller can see, with the number of items.',
        response: { 200: listOf(ContentCategory) },
      },
      handler: (request) => request.inTenant(async (tx) => listCategories(tx, await readViewer(tx))),
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/content/:item_id',
      config: { scope: 'content.read' },
      schema: {
        operationId: 'getContentItem',
        summary: 'Get a content item',
        description:
          'Opens a view of a published item, or returns the open one, unless `track` is `false`. API keys, impersonating admins and prefetch requests open none.',
        params: ItemParams,
        querystring: TrackQuery,
        response: { 200: ViewedContentItem },
      },
      handler: (request) => {
        const isPrefetch = String(request.headers['sec-purpose'] ?? '').startsWith('prefetch')
        const isTracked = request.query.track && !isPrefetch
        return request.inTenant((tx) => getContentItem(tx, services, request.params.item_id, { isTracked }))
      },
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/content/:item_id',
      config: { scope: 'content.write' },
      schema: {
        operationId: 'updateContentItem',
        summary: 'Update a content item',
        description:
          'For the owner and managers. Set `status` to publish, archive or restore the item; publishing is for managers unless the settings of the workspace allow it. `superseded_by_id` names the item that replaces an archived one.',
        params: ItemParams,
        body: ContentChanges,
        response: { 200: ContentItem },
      },
      handler: async (request) => {
        const bodyHtml = await renderBody(request.body.body, {
          tenantId: request.tenant.id,
          maxLength: maxContentHtmlLength,
        })
        const input = { changes: request.body, bodyHtml, expectedVersion: expectedVersion(request) }
        return await request.inTenant((tx) => updateContentItem(tx, services, request.params.item_id, input))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/enablement/content/:item_id',
      config: { scope: 'content.delete' },
      schema: {
        operationId: 'deleteContentItem',
        summary: 'Delete a content item',
        description:
          'Members can delete own items that were never published. Its entries in collections are removed; its files are kept for 30 days.',
        params: ItemParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const input = { expectedVersion: expectedVersion(request), removeEntries, assertUnused }
        await request.inTenant((tx) => deleteContentItem(tx, services, request.params.item_id, input))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/content/:item_id/verify',
      config: { scope: 'content.write', successStatus: 200 },
      schema: {
        operationId: 'verifyContentItem',
        summary: 'Verify a content item',
        description:
          '`still_valid` starts the review interval again; `needs_update` marks the item as stale and notifies its owner. Other changes do not count as a review.',
        params: ItemParams,
        body: ContentReview,
        response: { 200: ContentItem },
      },
      handler: (request) =>
        request.inTenant((tx) => verifyContentItem(tx, services, request.params.item_id, request.body)),
    })
  }
