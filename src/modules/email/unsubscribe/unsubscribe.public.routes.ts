import type { FastifyReply, FastifyRequest } from 'fastify'
import { readPageTheme } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { choosePageLanguage } from '#platform/html'
import { type RouteConfig, type Routes, sendPublicPage } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { unsubscribeTokensOf } from '../messages/unsubscribe-tokens.ts'
import {
  Unsubscribed,
  UnsubscribeForm,
  UnsubscribeLink,
  UnsubscribeParams,
  UnsubscribeQuery,
} from './unsubscribe.schemas.ts'
import {
  getEmailPreferences,
  getUnsubscribeLink,
  type PreferencesState,
  replaceEmailPreferences,
  unsubscribe,
} from './unsubscribe.service.ts'
import { buildUnsubscribePage, type UnsubscribeView } from './unsubscribe-page.ts'

// Mail scanners open links, so reads must not use up what opt-outs need.
const readLimits: RouteLimit[] = [{ name: 'unsubscribe_page', limit: 60, windowSeconds: 60, per: 'token' }]
const changeLimits: RouteLimit[] = [
  { name: 'unsubscribe', limit: 30, windowSeconds: 60, per: 'network_and_token' },
  { name: 'unsubscribe_token', limit: 300, windowSeconds: 60, per: 'token' },
]
const apiUrl = '/api/public/unsubscribe/:token'
const pageUrl = '/unsubscribe/:token'

export const unsubscribeRoutes =
  (services: Services): Routes =>
  async (app) => {
    const tokens = unsubscribeTokensOf(services)
    const config = {
      public: true,
      tokenParam: 'token',
      verifyToken: (token, slug) => tokens.isTagged(slug, token) || undefined,
      bodyLimit: 4_096,
      allowedInMaintenance: true,
      servedUnderLoad: true,
      tag: 'leads',
    } as const satisfies RouteConfig

    app.route({
      method: 'GET',
      url: apiUrl,
      config: { ...config, limits: readLimits },
      schema: {
        operationId: 'getUnsubscribeLink',
        summary: 'Get an unsubscribe link',
        description: 'Shows the masked email address that the link of a marketing email belongs to. Changes nothing.',
        params: UnsubscribeParams,
        response: { 200: UnsubscribeLink },
      },
      handler: (request) =>
        request.inTenant(async (tx) => ({
          ...(await getUnsubscribeLink(tx, services, request.params.token)),
          workspace_name: request.tenant.name,
        })),
    })

    app.route({
      method: 'POST',
      url: apiUrl,
      config: { ...config, limits: changeLimits },
      schema: {
        operationId: 'unsubscribe',
        summary: 'Unsubscribe an email address',
        description:
          'Stops marketing email to the email address of the link, for all leads and contacts that have it. Can be repeated. Mail providers send the form of RFC 8058 to the URL of the unsubscribe page instead.',
        params: UnsubscribeParams,
        response: { 200: Unsubscribed },
      },
      handler: (request) => request.inTenant((tx) => unsubscribe(tx, services, request.params.token)),
    })

    const sendState = async (
      request: FastifyRequest<{ Params: { token: string } }>,
      reply: FastifyReply,
      view: UnsubscribeView,
      run: (tx: TenantTx, token: string) => Promise<PreferencesState>,
    ) => {
      const { token } = request.params
      const { state, theme } = await request.inTenant(async (tx) => ({
        state: await orInvalid(run(tx, token)),
        theme: await readPageTheme(tx, request.tenant.name),
      }))
      const language = choosePageLanguage(request.headers['accept-language'])
      reply.code(state === 'invalid' ? 404 : 200)
      return sendPublicPage(request, reply, theme, buildUnsubscribePage({ theme, language, token }, state, view))
    }

    app.route({
      method: 'GET',
      url: pageUrl,
      config: { ...config, limits: readLimits },
      schema: { hide: true, params: UnsubscribeParams, querystring: UnsubscribeQuery },
      handler: (request, reply) =>
        sendState(request, reply, request.query.choose ? 'choose' : 'link', (tx, token) =>
          getEmailPreferences(tx, services, token),
        ),
    })

    app.route({
      method: 'POST',
      url: pageUrl,
      config: { ...config, limits: changeLimits, body: 'form' },
      schema: { hide: true, params: UnsubscribeParams, body: UnsubscribeForm },
      handler: (request, reply) => {
        const { preferences, email, survey } = request.body
        if (preferences === undefined)
          return sendState(request, reply, 'link', async (tx, token) => {
            await unsubscribe(tx, services, token)
            return await getEmailPreferences(tx, services, token)
          })
        const isSelected = preferences === 'selected'
        const selected = { email: isSelected && email === '1', survey: isSelected && survey === '1' }
        return sendState(request, reply, 'saved', (tx, token) => replaceEmailPreferences(tx, services, token, selected))
      },
    })
  }

async function orInvalid<T>(found: Promise<T>): Promise<T | 'invalid'> {
  try {
    return await found
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return 'invalid'
    throw error
  }
}
