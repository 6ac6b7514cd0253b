import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { ScenarioParams } from '../scenarios/scenarios.schemas.ts'
import { createSession } from './create-session.service.ts'
import { getSession, listSessions } from './present-session.service.ts'
import { NewSession, Session, SessionChanges, SessionParams, SessionQuery, SessionSummary } from './sessions.schemas.ts'
import { updateSession } from './update-session.service.ts'

export const sessionRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/enablement/coaching/scenarios/:scenario_id/sessions',
      config: { scope: 'coaching.write', collectionPath: '/api/enablement/coaching/sessions' },
      schema: {
        operationId: 'createCoachingSession',
        summary: 'Schedule a coaching session',
        description:
          'Requires `rep_id`. Managers, admins and leads of a team of the seller can schedule sessions; sellers can ask for one with `coach_id`. The scenario must be published. The other participant is notified.',
        params: ScenarioParams,
        body: NewSession,
        response: { 201: Session },
      },
      handler: (request) =>
        request.inTenant((tx) => createSession(tx, request.actor, request.params.scenario_id, request.body)),
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/coaching/sessions/',
      config: { scope: 'coaching.read' },
      schema: {
        operationId: 'listCoachingSessions',
        summary: 'List coaching sessions',
        description:
          'Own sessions and those that the caller may coach, the newest first. Private sessions are listed for their seller only.',
        querystring: SessionQuery,
        response: { 200: pageOf(SessionSummary) },
      },
      handler: (request) => request.inTenant((tx) => listSessions(tx, request.actor, request.query)),
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/coaching/sessions/:session_id',
      config: { scope: 'coaching.read' },
      schema: {
        operationId: 'getCoachingSession',
        summary: 'Get a coaching session',
        description: 'For the seller, the coach, managers, admins and leads of a team of the seller.',
        params: SessionParams,
        response: { 200: Session },
      },
      handler: (request) => request.inTenant((tx) => getSession(tx, request.actor, request.params.session_id)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/coaching/sessions/:session_id',
      config: { scope: 'coaching.write', notWhileImpersonating: true },
      schema: {
        operationId: 'updateCoachingSession',
        summary: 'Update a coaching session',
        description:
          'The coach sets `status`, time, agenda, scores, `feedback` and `action_items`; the seller sets `rep_reflection`, `acknowledged`, `done` of action items and can cancel. `status` changes from `scheduled` to `in_progress` and `completed`, which needs a score for every criterion or `skip_scoring`. After the end only `action_items`, `rep_reflection`, `acknowledged` and `coach_scores` change.',
        params: SessionParams,
        body: SessionChanges,
        response: { 200: Session },
      },
      handler: (request) => {
        const input = {
          changes: request.body,
          expectedVersion: expectedVersion(request),
          now: services.clock.now(),
        }
        return request.inTenant((tx) => updateSession(tx, request.actor, request.params.session_id, input))
      },
    })
  }
