import { Type } from 'typebox'
import { type RouteConfig, type Routes, sendCacheable } from '#platform/http'
import {
  PublicPageQuery,
  PublicRoomParams,
  PublicThreadDetails,
  PublicThreadPage,
  PublicThreadParams,
} from './public-threads.schemas.ts'
import { getPublicThread, listPublicThreads } from './public-threads.service.ts'

const config = {
  public: true,
  limits: [{ name: 'community_public', limit: 60, windowSeconds: 60, per: 'network_and_tenant' }],
  tag: 'community',
} as const satisfies RouteConfig

const cacheSeconds = 30

export const publicThreadRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/community/public/rooms/:room_id/threads',
    config,
    schema: {
      operationId: 'listPublicThreads',
      summary: 'List threads of a public room',
      description:
        'Pinned threads first, then by the last activity. Rooms that are not public are not found. Other parameters are ignored.',
      params: PublicRoomParams,
      querystring: PublicPageQuery,
      response: { 200: PublicThreadPage, 304: Type.Null() },
    },
    handler: async (request, reply) => {
      reply.header('x-robots-tag', 'noindex')
      const page = await request.inTenant((tx) => listPublicThreads(tx, request.params.room_id, request.query))
      return sendCacheable(request, reply.removeHeader('x-robots-tag'), page, cacheSeconds)
    },
  })

  app.route({
    method: 'GET',
    url: '/api/community/public/threads/:thread_id',
    config,
    schema: {
      operationId: 'getPublicThread',
      summary: 'Get a public thread with replies',
      description: '`limit` and `offset` page through the replies. Threads of rooms that are not public are not found.',
      params: PublicThreadParams,
      querystring: PublicPageQuery,
      response: { 200: PublicThreadDetails, 304: Type.Null() },
    },
    handler: async (request, reply) => {
      reply.header('x-robots-tag', 'noindex')
      const thread = await request.inTenant((tx) => getPublicThread(tx, request.params.thread_id, request.query))
      return sendCacheable(request, reply.removeHeader('x-robots-tag'), thread, cacheSeconds)
    },
  })
}
