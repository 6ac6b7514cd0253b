import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { ScenarioParams } from '../scenarios/scenarios.schemas.ts'
import { SessionParams } from '../sessions/sessions.schemas.ts'
import { analyzeRoleplay } from './analyze-roleplay.flow.ts'
import { finishRoleplay } from './finish-roleplay.flow.ts'
import { getRoleplay } from './present-roleplay.service.ts'
import {
  FinishOptions,
  MessageResult,
  NewMessage,
  Roleplay,
  RoleplayAnalysis,
  RoleplayOptions,
} from './roleplay.schemas.ts'
import { sendRoleplayMessage } from './send-message.flow.ts'
import { startRoleplay } from './start-roleplay.service.ts'

export const roleplayRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/enablement/coaching/scenarios/:scenario_id/roleplay/start',
      config: {
        scope: 'coaching.write',
        notWhileImpersonating: true,
        collectionPath: '/api/enablement/coaching/roleplay',
      },
      schema: {
        operationId: 'startRoleplay',
        summary: 'Start a roleplay',
        description:
          'The scenario must be published. The response has the first message of the buyer. A user can have three active roleplays.',
        params: ScenarioParams,
        body: RoleplayOptions,
        response: { 201: Roleplay },
      },
      handler: (request) => {
        const input = { options: request.body, now: services.clock.now() }
        return request.inTenant((tx) => startRoleplay(tx, request.actor, request.params.scenario_id, input))
      },
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/coaching/roleplay/:session_id',
      config: { scope: 'coaching.read' },
      schema: {
        operationId: 'getRoleplay',
        summary: 'Get a roleplay',
        description:
          'The session with its messages and the state of the conversation. Facts and objections of the buyer appear only in messages.',
        params: SessionParams,
        response: { 200: Roleplay },
      },
      handler: (request) => request.inTenant((tx) => getRoleplay(tx, request.actor, request.params.session_id)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/coaching/roleplay/:session_id/message',
      config: { scope: 'coaching.write', notWhileImpersonating: true, successStatus: 200 },
      schema: {
        operationId: 'sendRoleplayMessage',
        summary: 'Send a message to the buyer',
        description:
          'Requires `text`; for the seller only. Rules decide what the buyer reveals and objects; the language model of the workspace words the reply, or a template if none is available. While a message is being answered, another one gets 409 `turn_in_progress`.',
        params: SessionParams,
        body: NewMessage,
        response: { 200: MessageResult },
      },
      handler: (request) => {
        const input = { sessionId: request.params.session_id, message: request.body }
        return sendRoleplayMessage(services, request.actor, input, (work) => request.inTenant(work))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/coaching/roleplay/:session_id/live-analysis',
      config: { scope: 'coaching.write', successStatus: 200 },
      schema: {
        operationId: 'analyzeRoleplay',
        summary: 'Analyze a roleplay',
        description:
          'Talk ratio, questions, objections and fillers so far, with the next best question. Calculated by rules, also during the conversation. A roleplay of which the seller asks for it before the end is practice, as its `practice_reason` says.',
        params: SessionParams,
        response: { 200: RoleplayAnalysis },
      },
      handler: (request) =>
        analyzeRoleplay(services, request.actor, request.params.session_id, (work) => request.inTenant(work)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/coaching/roleplay/:session_id/finish',
      config: { scope: 'coaching.write', notWhileImpersonating: true, successStatus: 200 },
      schema: {
        operationId: 'finishRoleplay',
        summary: 'Finish a roleplay',
        description:
          'For the seller only. Scores the conversation on the rubric of the scenario. With fewer than four messages of the seller, or a chosen buyer who has nothing to discover or to object, the session is `insufficient` and has no score. A finished roleplay is returned as it is.',
        params: SessionParams,
        body: FinishOptions,
        response: { 200: Roleplay },
      },
      handler: (request) => {
        const input = { sessionId: request.params.session_id, options: request.body }
        return finishRoleplay(services, request.actor, input, (work) => request.inTenant(work))
      },
    })
  }
