import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { completeCadenceTask, skipCadenceTask } from './complete-task.service.ts'
import { listCadenceTasks } from './list-tasks.service.ts'
import { StepTask, StepTaskParams, StepTaskQuery, StepTaskResult, TaskCompletion } from './step-tasks.schemas.ts'

export const stepTaskRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/cadences/tasks',
      config: { scope: 'cadences.read', scopes: ['leads.read', 'contacts.read'] },
      schema: {
        operationId: 'listCadenceTasks',
        summary: 'List open tasks of cadences',
        description: 'Calls, manual emails and other tasks of an assignee, the oldest first.',
        querystring: StepTaskQuery,
        response: { 200: pageOf(StepTask) },
      },
      handler: (request) => request.inTenant((tx) => listCadenceTasks(tx, request.actor, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/cadences/tasks/:activity_id/complete',
      config: { scope: 'cadences.write', scopes: ['leads.write', 'contacts.write'] },
      schema: {
        operationId: 'completeCadenceTask',
        summary: 'Complete a task of a cadence',
        description:
          'The person continues with the next step. A call is logged with its outcome. Only the assignee and managers can complete it.',
        params: StepTaskParams,
        body: TaskCompletion,
        response: { 200: StepTaskResult },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          completeCadenceTask(tx, request.actor, request.params.activity_id, request.body, services),
        ),
    })

    app.route({
      method: 'POST',
      url: '/api/cadences/tasks/:activity_id/skip',
      config: { scope: 'cadences.write', scopes: ['leads.write', 'contacts.write'] },
      schema: {
        operationId: 'skipCadenceTask',
        summary: 'Skip a task of a cadence',
        description: 'The person continues with the next step. Only the assignee and managers can skip it.',
        params: StepTaskParams,
        response: { 200: StepTaskResult },
      },
      handler: (request) =>
        request.inTenant((tx) => skipCadenceTask(tx, request.actor, request.params.activity_id, services)),
    })
  }
