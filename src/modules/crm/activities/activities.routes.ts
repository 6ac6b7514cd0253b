import { Type } from 'typebox'
import type { Scope } from '#platform/access'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { Id, pageOf, strict } from '#platform/schema'
import type { ParentKind } from './activities.queries.ts'
import { Activity, ActivityChanges, ActivityQuery, NewActivity } from './activities.schemas.ts'
import { changeActivity, deleteActivity } from './change-activity.service.ts'
import { listActivities, logActivity } from './log-activity.service.ts'

const places = {
  lead: { resource: 'leads', Kind: 'Lead', a: 'a lead' },
  contact: { resource: 'contacts', Kind: 'Contact', a: 'a contact' },
  account: { resource: 'accounts', Kind: 'Account', a: 'an account' },
  opportunity: { resource: 'opportunities', Kind: 'Opportunity', a: 'a deal' },
} as const

/** The timeline of a record: the same for each kind that has one. */
export const activityRoutes =
  (kind: ParentKind, services: Services): Routes =>
  async (app) => {
    const { resource, Kind, a } = places[kind]
    const url = `/api/${resource}/:${kind}_id/activities`
    const scopeTo = (action: 'read' | 'write' | 'delete'): Scope => `${resource}.${action}`
    const TimelineParams = strict({ [`${kind}_id`]: Id })
    const EntryParams = strict({ [`${kind}_id`]: Id, activity_id: Id })
    const timelineIn = (params: Record<string, string>) => ({ kind, id: params[`${kind}_id`]! })
    const entryIn = (params: Record<string, string>) => ({
      timeline: timelineIn(params),
      activityId: params.activity_id!,
    })

    app.route({
      method: 'GET',
      url,
      config: { scope: scopeTo('read') },
      schema: {
        operationId: `list${Kind}Activities`,
        summary: `List what happened with ${a}, the latest first`,
        params: TimelineParams,
        querystring: ActivityQuery,
        response: { 200: pageOf(Activity) },
      },
      handler: (request) => request.inTenant((tx) => listActivities(tx, timelineIn(request.params), request.query)),
    })

    app.route({
      method: 'POST',
      url,
      config: { scope: scopeTo('write') },
      schema: {
        operationId: `log${Kind}Activity`,
        summary: `Log what happened with ${a}`,
        description:
          kind === 'lead'
            ? 'A call, mail, message or meeting answers the lead; what follows for its status and score happens at once.'
            : undefined,
        params: TimelineParams,
        body: NewActivity,
        response: { 201: Activity },
      },
      handler: (request) =>
        request.inTenant((tx) => logActivity(tx, request.actor, timelineIn(request.params), request.body, services)),
    })

    app.route({
      method: 'PATCH',
      url: `${url}/:activity_id`,
      config: { scope: scopeTo('write') },
      schema: {
        operationId: `change${Kind}Activity`,
        summary: 'Put right what was logged, or complete a task',
        description: 'For whoever logged it, and for managers.',
        params: EntryParams,
        body: ActivityChanges,
        response: { 200: Activity },
      },
      handler: (request) => {
        const target = { ...entryIn(request.params), expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => changeActivity(tx, request.actor, target, request.body, services))
      },
    })

    app.route({
      method: 'DELETE',
      url: `${url}/:activity_id`,
      config: { scope: scopeTo('delete') },
      schema: {
        operationId: `delete${Kind}Activity`,
        summary: 'Take back what was logged',
        description: 'For whoever logged it, and for managers.',
        params: EntryParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const target = { ...entryIn(request.params), expectedVersion: expectedVersion(request) }
        await request.inTenant((tx) => deleteActivity(tx, request.actor, target, services))
      },
    })
  }
