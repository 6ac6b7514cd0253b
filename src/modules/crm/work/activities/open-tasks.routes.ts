import type { Routes } from '#platform/http'
import { pageOf } from '#platform/schema'
import { OpenTask, OpenTaskQuery } from './activities.schemas.ts'
import { listOpenTasks } from './open-tasks.service.ts'

export const openTaskRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/activities',
    config: { scope: 'leads.read', scopes: ['contacts.read', 'accounts.read', 'opportunities.read'] },
    schema: {
      operationId: 'listOpenTasks',
      summary: 'List open tasks of a user',
      description: 'Tasks of leads, contacts, accounts and deals, by due date. Tasks without a due date are last.',
      querystring: OpenTaskQuery,
      response: { 200: pageOf(OpenTask) },
    },
    handler: (request) => request.inTenant((tx) => listOpenTasks(tx, request.actor, request.query)),
  })
}
