import { Type } from 'typebox'
import type { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import type { Db } from '#platform/db'
import { type Gatekeeper, Problem, type Routes } from '#platform/http'
import type { JobLog } from '#platform/jobs'
import { pageOf } from '#platform/schema'
import { cancelTask, getTask, listTasks, openTaskFollower, TaskStatus } from '#platform/tasks'
import { lastEventId, streamHeaders } from './event-stream.ts'
import { openTaskStreams } from './task-streams.ts'
import { whenToAskAgain } from './tasks.rules.ts'
import { EventStream, TaskListQuery, TaskParams } from './tasks.schemas.ts'

export type TasksServices = { config: Config; clock: Clock; db: Db; log: JobLog; gatekeeper: Gatekeeper }

export const tasksRoutes =
  ({ config, clock, db, log, gatekeeper }: TasksServices): Routes =>
  async (app) => {
    const follower = openTaskFollower({ db, url: config.DATABASE_SYSTEM_URL, log })
    const streams = openTaskStreams({ db, clock, gatekeeper, follower })
    app.addHook('preClose', async () => streams.close())
    app.addHook('onClose', () => follower.close())

    app.route({
      method: 'GET',
      url: '/api/tasks/',
      config: { scope: 'tasks.read' },
      schema: {
        operationId: 'listTasks',
        summary: 'List background tasks: your own, or all of them for an admin',
        querystring: TaskListQuery,
        response: { 200: pageOf(TaskStatus) },
      },
      handler: (request) => request.inTenant((tx) => listTasks(tx, request.actor, request.query)),
    })

    app.route({
      method: 'GET',
      url: '/api/tasks/:task_id/status',
      config: { scope: 'tasks.read' },
      schema: {
        operationId: 'getTask',
        summary: 'Get the state of a background task',
        description: 'While the task is open, `Retry-After` tells when it is worth asking again.',
        params: TaskParams,
        response: { 200: TaskStatus, 404: Problem },
      },
      handler: async (request, reply) => {
        const { status } = await request.inTenant((tx) => getTask(tx, request.actor, request.params.task_id))
        return reply.headers(whenToAskAgain(status, clock.now())).send(status)
      },
    })

    app.route({
      method: 'GET',
      url: '/api/tasks/:task_id/events',
      config: { scope: 'tasks.read' },
      schema: {
        operationId: 'followTask',
        summary: 'Follow a background task as server-sent events',
        description:
          'At most two events a second. `Last-Event-ID` goes on from there. 204 when there is nothing left to tell.',
        params: TaskParams,
        response: { 200: EventStream, 204: Type.Null(), 404: Problem, 429: Problem },
      },
      handler: async (request, reply) => {
        const task = await request.inTenant((tx) => getTask(tx, request.actor, request.params.task_id))
        const body = streams.open(request, task, lastEventId(request.headers['last-event-id']))
        return body ? reply.headers(streamHeaders).send(body) : reply.code(204).send(null)
      },
    })

    app.route({
      method: 'POST',
      url: '/api/tasks/:task_id/cancel',
      config: { scope: 'tasks.write' },
      schema: {
        operationId: 'cancelTask',
        summary: 'Cancel a background task; what is done by then stays',
        params: TaskParams,
        response: { 200: TaskStatus, 404: Problem, 409: Problem },
      },
      handler: (request) => request.inTenant((tx) => cancelTask(tx, request.actor, request.params.task_id)),
    })
  }
