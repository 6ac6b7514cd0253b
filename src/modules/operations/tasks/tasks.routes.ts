import { Type } from 'typebox'
import type { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import type { Db } from '#platform/db'
import { ProblemDetails, type RequestAuthenticator, type Routes } from '#platform/http'
import type { JobLog } from '#platform/jobs'
import { pageOf } from '#platform/schema'
import { cancelTask, getTask, listTasks, startTaskWatcher, TaskStatus } from '#platform/tasks'
import { parseLastEventId, streamHeaders } from './event-stream.ts'
import { createTaskStreams } from './task-streams.ts'
import { pollingHeaders } from './tasks.rules.ts'
import { EventStream, TaskListQuery, TaskParams } from './tasks.schemas.ts'

export type TasksServices = { config: Config; clock: Clock; db: Db; log: JobLog; authenticator: RequestAuthenticator }

export const tasksRoutes =
  ({ config, clock, db, log, authenticator }: TasksServices): Routes =>
  async (app) => {
    const watcher = startTaskWatcher({ db, url: config.DATABASE_SYSTEM_URL, log })
    const streams = createTaskStreams({ db, clock, authenticator, watcher })
    app.addHook('preClose', async () => streams.close())
    app.addHook('onClose', () => watcher.close())

    app.route({
      method: 'GET',
      url: '/api/tasks/',
      config: { scope: 'tasks.read' },
      schema: {
        operationId: 'listTasks',
        summary: 'List background tasks',
        description:
          'Admins see all tasks of the workspace except private ones of others, other users only the tasks they started. Newest first.',
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
        summary: 'Get a background task',
        description:
          'Returns state, progress and result. While the task is open, `Retry-After` is the recommended polling interval in seconds.',
        params: TaskParams,
        response: { 200: TaskStatus, 404: ProblemDetails },
      },
      handler: async (request, reply) => {
        const { status } = await request.inTenant((tx) => getTask(tx, request.actor, request.params.task_id))
        return reply.headers(pollingHeaders(status, clock.now())).send(status)
      },
    })

    app.route({
      method: 'GET',
      url: '/api/tasks/:task_id/events',
      config: { scope: 'tasks.read' },
      schema: {
        operationId: 'streamTaskEvents',
        summary: 'Stream the events of a task',
        description:
          'Server-sent events, at most two per second. Send `Last-Event-ID` to continue a stream. Returns 204 if the task has ended and its last event was received. At most five open streams per user.',
        params: TaskParams,
        response: { 200: EventStream, 204: Type.Null(), 404: ProblemDetails, 429: ProblemDetails },
      },
      handler: async (request, reply) => {
        const task = await request.inTenant((tx) => getTask(tx, request.actor, request.params.task_id))
        const body = streams.open(request, task, parseLastEventId(request.headers['last-event-id']))
        return body ? reply.headers(streamHeaders).send(body) : reply.code(204).send(null)
      },
    })

    app.route({
      method: 'POST',
      url: '/api/tasks/:task_id/cancel',
      config: { scope: 'tasks.write', allowedInMaintenance: true },
      schema: {
        operationId: 'cancelTask',
        summary: 'Cancel a background task',
        description:
          'A running task stops after its current batch; completed changes are kept. Returns 409 if the task has ended. Also works ' +
          'while the workspace is in maintenance.',
        params: TaskParams,
        response: { 200: TaskStatus, 404: ProblemDetails, 409: ProblemDetails },
      },
      handler: (request) => request.inTenant((tx) => cancelTask(tx, request.actor, request.params.task_id)),
    })
  }
