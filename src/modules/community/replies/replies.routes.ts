import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { ThreadOptions, ThreadParams } from '../threads/threads.schemas.ts'
import { createReply } from './create-reply.flow.ts'
import { NewReply, Reply, ReplyParams, ReplyQuery } from './replies.schemas.ts'
import { deleteReply, getReply, listReplies } from './replies.service.ts'

export const replyRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/community/threads/:thread_id/replies',
      config: { scope: 'community.read' },
      schema: {
        operationId: 'listReplies',
        summary: 'List replies of a thread',
        description: 'Sorted by `reply_no`. Hidden and deleted replies are left out.',
        params: ThreadParams,
        querystring: ReplyQuery,
        response: { 200: pageOf(Reply) },
      },
      handler: (request) =>
        request.inTenant((tx) => listReplies(tx, request.actor, request.params.thread_id, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/community/threads/:thread_id/replies',
      config: { scope: 'community.write' },
      schema: {
        operationId: 'createReply',
        summary: 'Create a reply',
        description:
          'Requires `body`. Notifies the author and the followers of the thread and the mentioned users. A user can create 10 replies per minute, moderators of the room 50; a room with slow mode requires a pause between two replies of a user.',
        params: ThreadParams,
        body: NewReply,
        response: { 201: Reply },
      },
      handler: (request) => {
        const { actor, params, body } = request
        return createReply(services, { actor, params, body, inTenant: request.inTenant.bind(request) })
      },
    })

    app.route({
      method: 'GET',
      url: '/api/community/threads/:thread_id/replies/:reply_id',
      config: { scope: 'community.read' },
      schema: {
        operationId: 'getReply',
        summary: 'Get a reply',
        description: 'A hidden reply is only found by its author and by moderators of the room.',
        params: ReplyParams,
        querystring: ThreadOptions,
        response: { 200: Reply },
      },
      handler: (request) => {
        const { thread_id: threadId, reply_id: replyId } = request.params
        return request.inTenant((tx) => getReply(tx, request.actor, { threadId, replyId, ...request.query }))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/community/threads/:thread_id/replies/:reply_id',
      config: { scope: 'community.delete' },
      schema: {
        operationId: 'deleteReply',
        summary: 'Delete a reply',
        description: 'Allowed for the author and for moderators of the room.',
        params: ReplyParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const { thread_id: threadId, reply_id: replyId } = request.params
        const input = { threadId, replyId, expectedVersion: expectedVersion(request), now: services.clock.now() }
        await request.inTenant((tx) => deleteReply(tx, request.actor, input))
      },
    })
  }
