import { Type } from 'typebox'
import type { Scope } from '#platform/access'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { Id, pageOf, strict } from '#platform/schema'
import type { ParentKind } from './activities.queries.ts'
import { Activity, ActivityChanges, ActivityQuery, NewActivity } from './activities.schemas.ts'
import { createActivity, listActivities } from './activities.service.ts'
import { deleteActivity, updateActivity } from './update-activity.service.ts'

const parents = {
  lead: { resource: 'leads', Kind: 'Lead', a: 'a lead' },
  contact: { resource: 'contacts', Kind: 'Contact', a: 'a contact' },
  account: { resource: 'accounts', Kind: 'Account', a: 'an account' },
  opportunity: { resource: 'opportunities', Kind: 'Opportunity', a: 'a deal' },
} as const

export const activityRoutes =
  (kind: ParentKind, services: Services): Routes =>
  async (app) => {
    const { resource, Kind, a } = parents[kind]
    const url = `/api/${resource}/:${kind}_id/activities`
    const scopeFor = (action: 'read' | 'write' | 'delete'): Scope => `${resource}.${action}`
    const TimelineParams = strict({ [`${kind}_id`]: Id })
    const ActivityParams = strict({ [`${kind}_id`]: Id, activity_id: Id })
    const timelineOf = (params: Record<string, string>) => ({ kind, id: params[`${kind}_id`]! })
    const targetOf = (params: Record<string, string>) => ({
      timeline: timelineOf(params),
      activityId: params.activity_id!,
    })

    app.route({
      method: 'GET',
      url,
      config: { scope: scopeFor('read') },
      schema: {
        operationId: `list${Kind}Activities`,
        summary: `List activities of ${a}`,
        description:
          kind === 'contact'
            ? 'Newest first. Includes activities of the leads that were converted to the contact.'
            : 'Newest first.',
        params: TimelineParams,
        querystring: ActivityQuery,
        response: { 200: pageOf(Activity) },
      },
      handler: (request) => request.inTenant((tx) => listActivities(tx, timelineOf(request.params), request.query)),
    })

    app.route({
      method: 'POST',
      url,
      config: { scope: scopeFor('write') },
      schema: {
        operationId: `create${Kind}Activity`,
        summary: `Log an activity of ${a}`,
        description:
          kind === 'lead'
            ? 'An outgoing call, email, message or meeting counts as a response. Status, SLA and score are updated immediately.'
            : undefined,
        params: TimelineParams,
        body: NewActivity,
        response: { 201: Activity },
      },
      handler: (request) =>
        request.inTenant((tx) => createActivity(tx, request.actor, timelineOf(request.params), request.body, services)),
    })

    app.route({
      method: 'PATCH',
      url: `${url}/:activity_id`,
      config: { scope: scopeFor('write') },
      schema: {
        operationId: `update${Kind}Activity`,
        summary: 'Update an activity or complete a task',
        description:
          'Allowed for the user who logged it and for managers; the assignee of a task can change `completed_at`, `outcome` and `body`. ' +
          'Signals and system activities cannot be changed.',
        params: ActivityParams,
        body: ActivityChanges,
        response: { 200: Activity },
      },
      handler: (request) => {
        const target = { ...targetOf(request.params), expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updateActivity(tx, request.actor, target, request.body, services))
      },
    })

    app.route({
      method: 'DELETE',
      url: `${url}/:activity_id`,
      config: { scope: scopeFor('delete') },
      schema: {
        operationId: `delete${Kind}Activity`,
        summary: 'Delete an activity',
        description:
          'Allowed for the user who logged it and for managers. Signals and system activities cannot be changed.',
        params: ActivityParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const target = { ...targetOf(request.params), expectedVersion: expectedVersion(request) }
        await request.inTenant((tx) => deleteActivity(tx, request.actor, target, services))
      },
    })
  }
