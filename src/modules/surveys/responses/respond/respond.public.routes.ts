import { ProblemDetails, type RouteConfig, type Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { createSurveyResponse } from './create-survey-response.service.ts'
import { getSurveyForm } from './get-survey-form.service.ts'
import { FormQuery, NewResponse, RespondParams, SubmittedResponse, SurveyForm } from './respond.schemas.ts'

const minute = 60
/** A public link is one token for all respondents, and an office is one network. */
export const formLimits: readonly RouteLimit[] = [
  { name: 'survey_network', limit: 600, windowSeconds: minute, per: 'network_and_tenant' },
  { name: 'survey_token', limit: 3_000, windowSeconds: minute, per: 'token' },
]
export const submitLimits: readonly RouteLimit[] = [
  ...formLimits,
  { name: 'survey_submissions', limit: 1_000, windowSeconds: 60 * minute, per: 'network_and_token' },
]
export const maxResponseBytes = 256 * 1_024

const publicRoute = { public: true, tokenParam: 'token', cors: true, tag: 'surveys' } as const satisfies RouteConfig

export const respondRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/surveys/respond/:token',
      config: { ...publicRoute, limits: formLimits },
      schema: {
        operationId: 'getSurveyForm',
        summary: 'Get a survey by its link',
        description:
          'Saves nothing. Texts are in one language: `lang`, else that of the invitation, else the best of `Accept-Language`, else the default. 410 has a `reason`: `expired`, `revoked`, `closed` or `deleted`.',
        params: RespondParams,
        querystring: FormQuery,
        response: { 200: SurveyForm, 409: ProblemDetails, 410: ProblemDetails },
      },
      handler: (request) => {
        const { lang, score, submission_id: submissionId } = request.query
        const acceptLanguage = request.headers['accept-language']
        const form = { token: request.params.token, lang, score, submissionId, acceptLanguage }
        return request.inTenant((tx) => getSurveyForm(tx, form, services))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/surveys/respond/:token',
      config: { ...publicRoute, limits: submitLimits, bodyLimit: maxResponseBytes, servedUnderLoad: true },
      schema: {
        operationId: 'createSurveyResponse',
        summary: 'Respond to a survey',
        description:
          'Requires `answers`, and `submission_id` with a public link. Each link or submission can respond once; the same answers again get the first response with `Idempotency-Replayed: true`. `complete: false` saves a draft. Questions that `show_if` hides are not required, and answers to them are dropped.',
        params: RespondParams,
        body: NewResponse,
        response: { 201: SubmittedResponse, 200: SubmittedResponse, 410: ProblemDetails },
      },
      handler: async (request, reply) => {
        const acceptLanguage = request.headers['accept-language']
        const input = { token: request.params.token, response: request.body, acceptLanguage }
        const result = await request.inTenant((tx) => createSurveyResponse(tx, input, services))
        if (result.status === 'partial') {
          reply.code(200)
          return result
        }
        const { isReplayed, ...completed } = result
        reply.code(isReplayed ? 200 : 201)
        if (isReplayed) reply.header('idempotency-replayed', 'true')
        return completed
      },
    })
  }
