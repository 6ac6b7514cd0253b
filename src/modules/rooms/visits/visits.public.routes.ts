import { ProblemDetails, type RouteConfig, type Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { updateRoomVisit } from './heartbeat.service.ts'
import { createRoomVisit } from './open-visit.flow.ts'
import { updatePublicPlanStep } from './public-plan.service.ts'
import { getPublicRoom } from './public-room.service.ts'
import { createRoomView } from './room-views.service.ts'
import {
  CodeSent,
  NewRoomView,
  NewVisit,
  OpenedVisit,
  PublicRoomParams,
  PublicRoomState,
  PublicStep,
  PublicStepChanges,
  PublicStepParams,
  RoomView,
  VisitHeaders,
  VisitHeartbeat,
  VisitParams,
  VisitState,
} from './visits.schemas.ts'

const minute = 60
const perVisitor = (name: string, limit: number): RouteLimit => ({
  name,
  limit,
  windowSeconds: minute,
  per: 'network_and_token',
})
const perToken = (name: string, limit: number, windowSeconds = minute): RouteLimit => ({
  name,
  limit,
  windowSeconds,
  per: 'token',
})
export const readLimits = [perVisitor('room_read', 60), perToken('room_reads', 600)]
export const planLimits = [perVisitor('room_plan', 60), perToken('room_plans', 600)]
export const visitLimits = [perVisitor('room_visit', 10), perToken('room_visits', 5_000, 86_400)]

const publicRoute = (limits: readonly RouteLimit[]) =>
  ({ public: true, tokenParam: 'share_token', limits, tag: 'rooms' }) as const satisfies RouteConfig

const gone = { 410: ProblemDetails }
const denied = { 403: ProblemDetails, ...gone }

const base = '/api/enablement/rooms/public/:share_token'

export const publicRoomRoutes =
  (services: Services, tokens: VisitTokens): Routes =>
  async (app) => {
    const { clock, files } = services
    const visitServices = { clock, files, tokens }

    app.route({
      method: 'GET',
      url: base,
      config: publicRoute(readLimits),
      schema: {
        operationId: 'getPublicRoom',
        summary: 'Get a room by its link',
        description:
          'Counts nothing. A link with an access rule shows only what it requires. URLs of files need the token of a visit in `X-Visit-Token`.',
        params: PublicRoomParams,
        headers: VisitHeaders,
        response: { 200: PublicRoomState, ...denied },
      },
      handler: (request) => {
        const shown = { shareToken: request.params.share_token, visitToken: request.headers['x-visit-token'] }
        return request.inTenant((tx) => getPublicRoom(tx, visitServices, shown))
      },
    })

    app.route({
      method: 'POST',
      url: `${base}/visit`,
      config: { ...publicRoute(visitLimits), optionalAuth: true },
      schema: {
        operationId: 'createRoomVisit',
        summary: 'Create a visit of a room',
        description:
          'Checks the password, the email address and the code that the link requires. Without `code`, a link that verifies email addresses sends one and responds with 202. A visit counts after five active seconds. With the token of an earlier visit in `X-Visit-Token` and nothing else, a visitor whom the link still lets in enters nothing again. The token of a preview starts no visit.',
        params: PublicRoomParams,
        headers: VisitHeaders,
        body: NewVisit,
        response: { 201: OpenedVisit, 202: CodeSent, 401: ProblemDetails, ...denied },
      },
      handler: async (request, reply) => {
        const { share_token: shareToken } = request.params
        const { inTenant, tenant, ip, body: visit } = request
        const visitToken = request.headers['x-visit-token']
        const entry = { inTenant: inTenant.bind(request), tenantId: tenant.id, ip, shareToken, visitToken, visit }
        const opened = await createRoomVisit(visitServices, entry)
        return reply.code('state' in opened ? 202 : 201).send(opened as never)
      },
    })

    app.route({
      method: 'PATCH',
      url: `${base}/visit/:visit_id`,
      config: publicRoute([perVisitor('room_heartbeat', 240), perToken('room_heartbeats', 6_000)]),
      schema: {
        operationId: 'updateRoomVisit',
        summary: 'Update a visit of a room',
        description:
          'Heartbeat about every 15 seconds. Seconds are cumulative, so a repeated heartbeat changes nothing. A visit ends after 30 minutes without one.',
        params: VisitParams,
        headers: VisitHeaders,
        body: VisitHeartbeat,
        response: { 200: VisitState, ...denied },
      },
      handler: (request) => {
        const { share_token: shareToken, visit_id: visitId } = request.params
        const visitToken = request.headers['x-visit-token']
        const input = { shareToken, visitId, visitToken, heartbeat: request.body, now: clock.now() }
        return request.inTenant((tx) => updateRoomVisit(tx, tokens, input))
      },
    })

    app.route({
      method: 'POST',
      url: `${base}/view`,
      config: publicRoute([perVisitor('room_view', 60), perToken('room_views', 3_000)]),
      schema: {
        operationId: 'createRoomView',
        summary: 'Create a view of a room item',
        description:
          'Requires the token of a visit in `X-Visit-Token` or `visit_token`. Responds with the URL of the file, and with 200 if the visit already has an open view of the item.',
        params: PublicRoomParams,
        headers: VisitHeaders,
        body: NewRoomView,
        response: { 200: RoomView, 201: RoomView, ...denied },
      },
      handler: async (request, reply) => {
        const { visit_token, ...view } = request.body
        const visitToken = request.headers['x-visit-token'] ?? visit_token
        const input = { shareToken: request.params.share_token, visitToken, view }
        const opened = await request.inTenant((tx) => createRoomView(tx, visitServices, input))
        return reply.code(opened.isNew ? 201 : 200).send(opened.view)
      },
    })

    app.route({
      method: 'PATCH',
      url: `${base}/plan/:step_id`,
      config: publicRoute(planLimits),
      schema: {
        operationId: 'updatePublicPlanStep',
        summary: 'Update a plan step as a buyer',
        description: 'Only steps of the buyer, and only visitors who entered their email address.',
        params: PublicStepParams,
        headers: VisitHeaders,
        body: PublicStepChanges,
        response: { 200: PublicStep, ...denied },
      },
      handler: (request) => {
        const { share_token: shareToken, step_id: stepId } = request.params
        const input = { shareToken, stepId, visitToken: request.headers['x-visit-token'], changes: request.body }
        return request.inTenant((tx) => updatePublicPlanStep(tx, visitServices, input))
      },
    })
  }
