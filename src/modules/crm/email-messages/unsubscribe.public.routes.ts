import type { FastifyReply, FastifyRequest } from 'fastify'
import { readSettings } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { type RouteConfig, type Routes, sendPage } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { OneClickForm, Unsubscribed, UnsubscribeLink, UnsubscribeParams } from './unsubscribe.schemas.ts'
import { getUnsubscribeLink, unsubscribe } from './unsubscribe.service.ts'
import { buildUnsubscribePage } from './unsubscribe-page.ts'

// Not limited per network: a mail provider sends the requests of all its users from few addresses.
const limits: RouteLimit[] = [{ name: 'unsubscribe_token', limit: 30, windowSeconds: 60, per: 'token' }]
const config = {
  public: true,
  tokenParam: 'token',
  bodyLimit: 4_096,
  allowedInMaintenance: true,
  tag: 'leads',
  limits,
} as const satisfies RouteConfig
const apiUrl = '/api/public/unsubscribe/:token'
const pageUrl = '/unsubscribe/:token'

export const unsubscribeRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: apiUrl,
      config,
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
      config,
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

    const sendState = async (request: FastifyRequest, reply: FastifyReply, run: typeof getUnsubscribeLink) => {
      const { token } = request.params as { token: string }
      const { state, color } = await request.inTenant(async (tx) => ({
        state: await orInvalid(run(tx, services, token)),
        color: await readColor(tx),
      }))
      const { name: workspace } = request.tenant
      reply.code(state === 'invalid' ? 404 : 200)
      return sendPage(request, reply, { workspace, color }, buildUnsubscribePage(workspace, state))
    }

    app.route({
      method: 'GET',
      url: pageUrl,
      config,
      schema: { hide: true, params: UnsubscribeParams },
      handler: (request, reply) => sendState(request, reply, getUnsubscribeLink),
    })

    app.route({
      method: 'POST',
      url: pageUrl,
      config: { ...config, body: 'form' },
      schema: { hide: true, params: UnsubscribeParams, body: OneClickForm },
      handler: (request, reply) => sendState(request, reply, unsubscribe),
    })
  }

const readColor = async (tx: TenantTx): Promise<string | null> => (await readSettings(tx, 'branding')).primary_color

async function orInvalid<T>(found: Promise<T>): Promise<T | 'invalid'> {
  try {
    return await found
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return 'invalid'
    throw error
  }
}
