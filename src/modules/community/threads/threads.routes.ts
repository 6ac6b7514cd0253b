import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { createThread } from './create-thread.flow.ts'
import { listThreads } from './list-threads.service.ts'
import { updateThreadPin } from './pin-thread.service.ts'
import {
  ListedThread,
  NewThread,
  PinChange,
  Thread,
  ThreadOptions,
  ThreadParams,
  ThreadQuery,
} from './threads.schemas.ts'
import { deleteThread, getThread } from './threads.service.ts'

export const threadRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock } = services

    app.route({
      method: 'GET',
      url: '/api/community/threads',
      config: { scope: 'community.read' },
      schema: {
        operationId: 'listThreads',
        summary: 'List threads',
        description:
          'Sorted by the last activity, newest first. With `room_id`, pinned threads come first; a room that you cannot read has none.',
        querystring: ThreadQuery,
        response: { 200: pageOf(ListedThread) },
      },
      handler: (request) => request.inTenant((tx) => listThreads(tx, request.actor, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/community/threads',
      config: { scope: 'community.write' },
      schema: {
        operationId: 'createThread',
        summary: 'Create a thread',
        description:
          'Requires `room_id`, `title` and `body`. The room must be active, or a draft that you moderate. Moderators are the owner of the room, managers and admins. A user can create 5 threads in 10 minutes and 200 threads and replies per day; moderators five times as many.',
        body: NewThread,
        response: { 201: Thread },
      },
      handler: (request) => {
        const { actor, body } = request
        return createThread(services, { actor, body, inTenant: request.inTenant.bind(request) })
      },
    })

    app.route({
      method: 'GET',
      url: '/api/community/threads/:thread_id',
      config: { scope: 'community.read' },
      schema: {
        operationId: 'getThread',
        summary: 'Get a thread',
        description: 'A hidden thread is only found by its author and by moderators of the room.',
        params: ThreadParams,
        querystring: ThreadOptions,
        response: { 200: Thread },
      },
      handler: (request) =>
        request.inTenant((tx) => getThread(tx, request.actor, request.params.thread_id, request.query)),
    })

    app.route({
      method: 'DELETE',
      url: '/api/community/threads/:thread_id',
      config: { scope: 'community.delete' },
      schema: {
        operationId: 'deleteThread',
        summary: 'Delete a thread',
        description: 'Allowed for moderators of the room, and for the author while no other user has replied.',
        params: ThreadParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { expectedVersion: expectedVersion(request), now: clock.now() }
        await request.inTenant((tx) => deleteThread(tx, request.actor, request.params.thread_id, options))
      },
    })

    app.route({
      method: 'PATCH',
      url: '/api/community/threads/:thread_id/pin',
      config: { scope: 'community.write' },
      schema: {
        operationId: 'updateThreadPin',
        summary: 'Update the pin of a thread',
        description:
          'Allowed for moderators of the room. Pins an unpinned thread and unpins a pinned one; send `pinned` to set the state instead. A room has at most 5 pinned threads.',
        params: ThreadParams,
        body: PinChange,
        response: { 200: Thread },
      },
      handler: (request) => {
        const input = { change: request.body, expectedVersion: expectedVersion(request), now: clock.now() }
        return request.inTenant((tx) => updateThreadPin(tx, request.actor, request.params.thread_id, input))
      },
    })
  }
