import { expectedVersion, type Routes } from '#platform/http'
import { type MarkdownDocument, parseMarkdown } from '#platform/markdown'
import type { Services } from '#platform/module'
import { Reply, ReplyParams } from '../replies/replies.schemas.ts'
import { Thread, ThreadParams } from '../threads/threads.schemas.ts'
import { replaceThreadAnswer } from './accept-answer.service.ts'
import { AcceptedAnswer, ReplyChanges, ThreadChanges } from './moderation.schemas.ts'
import { restoreReply, restoreThread } from './restore-posts.service.ts'
import { updateReply } from './update-reply.service.ts'
import { updateThread } from './update-thread.service.ts'

const parseBody = async (tenantId: string, { body }: { body?: string }): Promise<MarkdownDocument | undefined> =>
  body === undefined ? undefined : await parseMarkdown(body, { key: tenantId })

export const moderationRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'PATCH',
      url: '/api/community/threads/:thread_id',
      config: { scope: 'community.write' },
      schema: {
        operationId: 'updateThread',
        summary: 'Update a thread',
        description:
          'The author can change `title`, `body` and `kind`; moderators of the room can also lock, hide and move the thread. ' +
          'The audit log keeps the former text. Users who are new among the mentions are notified, up to 20 in all edits of a post.',
        params: ThreadParams,
        body: ThreadChanges,
        response: { 200: Thread },
      },
      handler: async (request) => {
        const { body: changes, tenant } = request
        const document = await parseBody(tenant.id, changes)
        const input = { changes, document, expectedVersion: expectedVersion(request), now: clock.now() }
        return await request.inTenant((tx) => updateThread(tx, request.actor, request.params.thread_id, input))
      },
    })

    app.route({
      method: 'PATCH',
      url: '/api/community/threads/:thread_id/replies/:reply_id',
      config: { scope: 'community.write' },
      schema: {
        operationId: 'updateReply',
        summary: 'Update a reply',
        description:
          'The author can change `body`; moderators of the room can also hide the reply. A hidden reply is not counted and is no longer ' +
          'the accepted answer. The audit log keeps the former text.',
        params: ReplyParams,
        body: ReplyChanges,
        response: { 200: Reply },
      },
      handler: async (request) => {
        const { thread_id: threadId, reply_id: replyId } = request.params
        const { body: changes, tenant } = request
        const document = await parseBody(tenant.id, changes)
        const version = expectedVersion(request)
        const input = { threadId, replyId, changes, document, expectedVersion: version, now: clock.now() }
        return await request.inTenant((tx) => updateReply(tx, request.actor, input))
      },
    })

    app.route({
      method: 'PUT',
      url: '/api/community/threads/:thread_id/answer',
      config: { scope: 'community.write' },
      schema: {
        operationId: 'replaceThreadAnswer',
        summary: 'Replace the accepted answer',
        description:
          'For the author of the thread and moderators of the room. The thread must be a question and the reply must be visible; ' +
          'null removes the accepted answer.',
        params: ThreadParams,
        body: AcceptedAnswer,
        response: { 200: Thread },
      },
      handler: (request) => {
        const input = { replyId: request.body.reply_id, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => replaceThreadAnswer(tx, request.actor, request.params.thread_id, input))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/community/threads/:thread_id/restore',
      config: { scope: 'community.write', successStatus: 200 },
      schema: {
        operationId: 'restoreThread',
        summary: 'Restore a deleted thread',
        description: 'For moderators of the room, within 30 days after the deletion.',
        params: ThreadParams,
        response: { 200: Thread },
      },
      handler: (request) =>
        request.inTenant((tx) => restoreThread(tx, request.actor, request.params.thread_id, clock.now())),
    })

    app.route({
      method: 'POST',
      url: '/api/community/threads/:thread_id/replies/:reply_id/restore',
      config: { scope: 'community.write', successStatus: 200 },
      schema: {
        operationId: 'restoreReply',
        summary: 'Restore a deleted reply',
        description: 'For moderators of the room, within 30 days after the deletion. The thread must not be deleted.',
        params: ReplyParams,
        response: { 200: Reply },
      },
      handler: (request) => {
        const { thread_id: threadId, reply_id: replyId } = request.params
        const input = { threadId, replyId, now: clock.now() }
        return request.inTenant((tx) => restoreReply(tx, request.actor, input))
      },
    })
  }
