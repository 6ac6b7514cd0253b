import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type Db, isDatabaseUnavailable, type TenantTx } from '#platform/db'
import { AppError, invalid } from '#platform/errors'
import {
  claimIdempotencyKey,
  hashRequest,
  type IdempotencyClaim,
  releaseClaim,
  storeResponse,
} from '#platform/idempotency'
import { bodyKindOf } from './body/body-limits.ts'
import { resourceHeaders } from './response-conventions.ts'

type ClaimedRequest = { claim: IdempotencyClaim; stored?: { status: number; body: string | undefined } }
const claimedRequests = new WeakMap<FastifyRequest, ClaimedRequest>()

export function registerIdempotency(app: FastifyInstance, { db }: { db: Db }): void {
  app.decorateRequest('replayMultipart', function (this: FastifyRequest, reply: FastifyReply, content: unknown) {
    return claimOrReplay(db, this, reply, content)
  })
  const hooks = createRouteHooks(db)
  app.addHook('onRoute', (route) => {
    if (!acceptsKey(route)) return
    route.preHandler = [hooks.preHandler, ...toList(route.preHandler)]
    route.onError = [hooks.onError, ...toList(route.onError)]
    route.onSend = [hooks.onSend, ...toList(route.onSend)]
  })
}

const toList = <Hook>(hooks: Hook | Hook[] | undefined): Hook[] =>
  hooks === undefined ? [] : ([hooks].flat() as Hook[])

/** Public routes ignore the header, also with a credential: their responses contain tokens and they use several transactions. */
const acceptsKey = ({ method, url, config }: Pick<RouteOptions, 'method' | 'url' | 'config'>): boolean =>
  [method].flat().includes('POST') && !config?.public && !url.startsWith('/api/auth/')

const createRouteHooks = (db: Db) => ({
  preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
    if (bodyKindOf(request) === 'multipart') return undefined
    return (await claimOrReplay(db, request, reply, request.body)) ? reply : undefined
  },
  onError: async (request: FastifyRequest, _reply: FastifyReply, error: Error) => {
    const claimed = claimedRequests.get(request)
    if (!claimed) return
    const released = releaseClaim(db, claimed.claim).catch(() => {})
    // Waiting for an unavailable database a second time would delay the response.
    if (!isDatabaseUnavailable(error)) await released
  },
  onSend: async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const claimed = claimedRequests.get(request)
    if (!claimed || reply.statusCode >= 300) return
    if (claimed.stored?.body !== payload || claimed.stored?.status !== reply.statusCode)
      throw new Error(`${request.routeOptions.url} sent a response that differs from the result of its transaction.`)
  },
})

/** Returns true if the stored response was sent. */
async function claimOrReplay(db: Db, request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<boolean> {
  const key = keyOf(request)
  if (key === undefined) return false
  const result = await claimIdempotencyKey(db, request.actor, {
    route: `${request.method} ${request.routeOptions.url}`,
    key,
    requestHash: hashRequest({ path: request.params, query: request.query, body }),
  })
  if (result.kind === 'other_request')
    throw invalid(
      'header',
      '/idempotency-key',
      'reused',
      '`Idempotency-Key` was already used for another request. Send a new key.',
    )
  if (result.kind === 'in_flight')
    throw new AppError(
      409,
      'conflict',
      `A request with the same \`Idempotency-Key\` is still being processed or was interrupted. Try again in ${result.retryAfterSeconds} seconds.`,
      { headers: { 'retry-after': String(result.retryAfterSeconds) } },
    )
  if (result.kind === 'replay') {
    replay(reply, result)
    return true
  }
  claimedRequests.set(request, { claim: result.claim })
  storeInTransaction(request, reply)
  return false
}

function keyOf({ routeOptions, method, headers, actor }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || !actor || !acceptsKey({ method, url: routeOptions.url!, config: routeOptions.config }))
    return undefined
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key))
    throw invalid(
      'header',
      '/idempotency-key',
      'format',
      '`Idempotency-Key` must have 1 to 255 printable ASCII characters.',
    )
  return key
}

function replay(
  reply: FastifyReply,
  { status, headers, body }: { status: number; headers: Record<string, string>; body: string },
) {
  return reply
    .code(status)
    .headers({ ...headers, 'idempotency-replayed': 'true' })
    .type('application/json; charset=utf-8')
    .serializer((text: unknown) => String(text))
    .send(body)
}

/** Stores the response in the transaction of the change, so that both are committed or neither. */
function storeInTransaction(request: FastifyRequest, reply: FastifyReply): void {
  const open = request.inTenant.bind(request)
  request.inTenant = async <T>(work: (tx: TenantTx) => Promise<T>) => {
    const claimed = claimedRequests.get(request)!
    if (claimed.stored) throw new Error(`${request.routeOptions.url} opened a second transaction.`)
    let stored: ClaimedRequest['stored']
    const result = await open(async (tx) => {
      const value = await work(tx)
      const [status, body] = [reply.statusCode, reply.serialize(value as never) as string]
      stored = { status, body }
      await storeResponse(tx, claimed.claim, {
        status,
        headers: resourceHeaders(request, status, value),
        body: withoutOneTimeFields(body, request.routeOptions.config.oneTimeFields),
      })
      return value
    })
    claimed.stored = stored
    return result
  }
}

function withoutOneTimeFields(body: string, fields: string[] | undefined): string {
  if (!fields?.length) return body
  return JSON.stringify(fields.reduce((value, field) => withoutField(value, field.split('.')), JSON.parse(body)))
}

function withoutField(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutField(item, path))
  if (typeof value !== 'object' || value === null) return value
  const [name, ...rest] = path as [string, ...string[]]
  return { ...value, [name]: rest.length ? withoutField((value as Record<string, unknown>)[name], rest) : null }
}
