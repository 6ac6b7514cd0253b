import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { ThreadParams } from '../threads/threads.schemas.ts'
import { ReadPosition, ThreadReading } from './following.schemas.ts'
import { followThread, markThreadRead, unfollowThread } from './following.service.ts'

export const followingRoutes =
  ({ clock }: Pick<Services, 'clock'>): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/community/threads/:thread_id/follow',
      config: { scope: 'community.write' },
      schema: {
        operationId: 'followThread',
        summary: 'Follow a thread',
        description:
          'Notifies you of new replies. Authors follow their threads until they unfollow them. A reply notifies up to 1,000 followers.',
        params: ThreadParams,
        response: { 200: ThreadReading },
      },
      handler: (request) =>
        request.inTenant((tx) => followThread(tx, request.actor, request.params.thread_id, clock.now())),
    })

    app.route({
      method: 'POST',
      url: '/api/community/threads/:thread_id/unfollow',
      config: { scope: 'community.write' },
      schema: {
        operationId: 'unfollowThread',
        summary: 'Unfollow a thread',
        description: 'New replies no longer notify you, except those that mention you.',
        params: ThreadParams,
        response: { 200: ThreadReading },
      },
      handler: (request) =>
        request.inTenant((tx) => unfollowThread(tx, request.actor, request.params.thread_id, clock.now())),
    })

    app.route({
      method: 'POST',
      url: '/api/community/threads/:thread_id/read',
      config: { scope: 'community.write' },
      schema: {
        operationId: 'markThreadRead',
        summary: 'Mark a thread as read',
        description:
          'Up to `reply_no`, or up to the last reply. The position never moves back. Your own reply marks the thread as read up to it.',
        params: ThreadParams,
        body: ReadPosition,
        response: { 200: ThreadReading },
      },
      handler: (request) => {
        const position = { ...request.body, now: clock.now() }
        return request.inTenant((tx) => markThreadRead(tx, request.actor, request.params.thread_id, position))
      },
    })
  }
