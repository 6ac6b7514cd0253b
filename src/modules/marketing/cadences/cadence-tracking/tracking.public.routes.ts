import { Type } from 'typebox'
import { ProblemDetails, type RouteConfig, type Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { strict } from '#platform/schema'
import { getClickedUrl, type Hit, recordOpen } from './record-hit.service.ts'
import { createTrackingKeys } from './tracking-keys.ts'
import { maxTokenLength } from './tracking-tokens.rules.ts'

const TrackingParams = strict({ token: Type.String({ minLength: 1, maxLength: maxTokenLength }) })
const Redirect = Type.Null({ description: 'Redirect to the URL in `Location`.' })
const Image = Type.Unsafe<Buffer>({ type: 'string', format: 'binary', description: 'A transparent GIF of one pixel.' })

const transparentGif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const perToken = (name: string): RouteLimit[] => [{ name, limit: 60, windowSeconds: 60, per: 'token' }]
const config = { public: true, tokenParam: 'token', head: true, tag: 'cadences' } as const

export const trackingRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock, secrets } = services
    const keys = createTrackingKeys(services)

    app.route({
      method: 'GET',
      url: '/api/public/click/:token',
      config: {
        ...config,
        limits: perToken('click_token'),
        verifyToken: (token, slug) => toVerdict(keys.verify('click', token, slug)),
      } satisfies RouteConfig,
      schema: {
        operationId: 'getClickedLink',
        summary: 'Get a link of an email',
        description:
          'Redirects to the URL that the email contained. The token is signed together with this URL, so that it leads nowhere else. The first click of a person is counted, but not those of mail scanners.',
        params: TrackingParams,
        response: { 302: Redirect, 404: ProblemDetails },
      },
      handler: async (request, reply) =>
        reply.redirect(await request.inTenant((tx) => getClickedUrl(tx, { clock, secrets, keys }, toHit(request)))),
    })

    app.route({
      method: 'GET',
      url: '/api/public/open/:token',
      config: {
        ...config,
        limits: perToken('open_token'),
        verifyToken: (token, slug) => toVerdict(keys.verify('open', token, slug)) || undefined,
      } satisfies RouteConfig,
      schema: {
        operationId: 'getOpenImage',
        summary: 'Get the image of an email',
        description: 'Returns the same image for every token. The first request of the email is counted as an open.',
        params: TrackingParams,
        response: { 200: { description: 'The image.', content: { 'image/gif': { schema: Image } } } },
      },
      handler: async (request, reply) => {
        const hit = toHit(request)
        if (keys.verify('open', hit.token, hit.slug) !== false)
          await request.inTenant((tx) => recordOpen(tx, { clock, secrets, keys }, hit))
        return reply.type('image/gif').header('cross-origin-resource-policy', 'cross-origin').send(transparentGif)
      },
    })
  }

const toVerdict = (verified: object | false | undefined): boolean | undefined => verified && true

type TrackedRequest = {
  params: { token: string }
  tenant: { slug: string }
  method: string
  headers: { 'user-agent'?: string }
}
const toHit = ({ params: { token }, tenant: { slug }, method, headers }: TrackedRequest): Hit => ({
  token,
  slug,
  method,
  userAgent: headers['user-agent'],
})
