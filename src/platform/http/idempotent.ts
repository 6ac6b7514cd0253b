import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db, TenantTx } from '#platform/db'
import { AppError, conflict, invalid } from '#platform/errors'
import { type Claim, claim, hashRequest, release, renewWhileAlive, storeAnswer } from '#platform/idempotency'
import { locationOf } from './conventions.ts'

type Running = { claim: Claim; stored: string | undefined; stop(): void }
const running = new WeakMap<FastifyRequest, Running>()

/** `Idempotency-Key`: the same request sent twice is done once, and answered twice. */
export function repeatSafely(app: FastifyInstance, db: Db): void {
  app.addHook('preHandler', async (request, reply) => {
    const key = keyOf(request)
    if (key === undefined) return
    const answer = await claim(db, request.actor, {
      route: `${request.method} ${request.routeOptions.url}`,
      key,
      requestHash: hashRequest({ path: request.params, query: request.query, body: request.body }),
    })
    if (answer.kind === 'other_request')
      throw invalid('header', '/idempotency-key', 'reused', 'This key was used for another request. Take a new one.')
    if (answer.kind === 'in_flight')
      throw new AppError(409, 'conflict', 'The same request is still running. Ask again in a moment.', {
        headers: { 'retry-after': String(answer.retryAfterSeconds) },
      })
    if (answer.kind === 'replay') return replay(reply, answer)
    running.set(request, { claim: answer.claim, stored: undefined, stop: renewWhileAlive(db, answer.claim) })
    storeWithTheChange(request, reply)
  })
  app.addHook('onResponse', async (request) => running.get(request)?.stop())
  app.addHook('onError', async (request) => {
    const work = running.get(request)
    if (work) await release(db, work.claim).catch(() => {})
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const work = running.get(request)
    if (work && reply.statusCode < 300 && work.stored !== payload)
      throw new Error(`${request.routeOptions.url} answered with something else than what its transaction returned.`)
  })
}

function keyOf({ method, routeOptions, headers, actor }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (method !== 'POST' || key === undefined || !actor || routeOptions.url?.startsWith('/api/auth/')) return undefined
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key))
    throw invalid('header', '/idempotency-key', 'format', 'Idempotency-Key takes 1 to 255 printable characters.')
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

/** The answer is kept in the transaction of the change: either both are there, or neither. */
function storeWithTheChange(request: FastifyRequest, reply: FastifyReply): void {
  const open = request.inTenant.bind(request)
  request.inTenant = <T>(work: (tx: TenantTx) => Promise<T>) =>
    open(async (tx) => {
      const result = await work(tx)
      const stored = running.get(request)!
      if (stored.stored !== undefined) throw conflict('conflict', 'This request opened a second transaction.')
      stored.stored = reply.serialize(result as never) as string
      const id = (result as { id?: unknown } | null)?.id
      await storeAnswer(tx, stored.claim, {
        status: reply.statusCode,
        headers: reply.statusCode === 201 && typeof id === 'string' ? { location: locationOf(request, id) } : {},
        body: withoutSecrets(stored.stored, request.routeOptions.config.withheld),
      })
      return result
    })
}

function withoutSecrets(body: string, withheld: string[] | undefined): string {
  if (!withheld?.length) return body
  const blank = Object.fromEntries(withheld.map((field) => [field, null]))
  return JSON.stringify({ ...JSON.parse(body), ...blank })
}
