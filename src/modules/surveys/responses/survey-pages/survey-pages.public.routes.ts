import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { type RouteConfig, type Routes, sendPublicPage } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { formLimits, maxResponseBytes } from '../respond/respond.public.routes.ts'
import { FormQuery, RespondParams } from '../respond/respond.schemas.ts'
import { type PageRequest, readSurveyPage, type SentPage, submitSurveyPage } from './survey-page.flow.ts'

/** A field contains an answer of up to 5,000 characters as JSON, in which a character may have six. */
const PageForm = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 40_000 }))

/** A response takes one request per question, so the limit of submissions is higher than that of the API. */
const pageLimits: readonly RouteLimit[] = [
  ...formLimits,
  { name: 'survey_pages', limit: 10_000, windowSeconds: 3_600, per: 'network_and_token' },
]

const config = { public: true, tokenParam: 'token', tag: 'surveys' } as const satisfies RouteConfig

/** The page of a survey, which works without a script. */
export const surveyPageRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/s/:token',
      config: { ...config, limits: formLimits },
      schema: { hide: true, params: RespondParams, querystring: FormQuery },
      handler: async (request, reply) =>
        sendSurveyPage(request, reply, await readSurveyPage(services, toInput(request))),
    })

    app.route({
      method: 'POST',
      url: '/s/:token',
      config: {
        ...config,
        limits: pageLimits,
        body: 'form',
        formFields: 1_000,
        // Browsers send most characters of JSON as three.
        bodyLimit: 4 * maxResponseBytes,
        servedUnderLoad: true,
      },
      schema: { hide: true, params: RespondParams, querystring: FormQuery, body: PageForm },
      handler: async (request, reply) =>
        sendSurveyPage(request, reply, await submitSurveyPage(services, toInput(request), request.body)),
    })
  }

type PageParameters = FastifyRequest<{
  Params: Static<typeof RespondParams>
  Querystring: Static<typeof FormQuery>
}>

function toInput(request: Pick<PageParameters, 'params' | 'query' | 'headers' | 'tenant' | 'inTenant'>): PageRequest {
  const { params, query, headers, tenant } = request
  return {
    inTenant: request.inTenant.bind(request),
    workspace: tenant.name,
    token: params.token,
    lang: query.lang,
    score: query.score,
    acceptLanguage: headers['accept-language'],
  }
}

const sendSurveyPage = (request: FastifyRequest, reply: FastifyReply, { status, theme, page }: SentPage) =>
  sendPublicPage(request, reply.code(status), theme, page)
