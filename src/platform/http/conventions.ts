import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from '#platform/db'
import { versionMismatch } from '#platform/errors'
import { newId } from '#platform/ids'

/** The caller's id for the request, if it is one that can be logged; else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : newId()
}

/** What every answer has in common, so that no route has to think of it. */
export function followConventions(app: FastifyInstance): void {
  app.addHook('preHandler', async (request, reply) => {
    reply.code(successOf(request))
  })
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (reply.statusCode < 300) describeAnswer(request, reply, payload)
    return payload
  })
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    const about = { req: request, res: reply, tenant_id: request.tenant?.id, ms: Math.round(reply.elapsedTime) }
    request.log.info(about, 'answered')
  })
}

/** A route answers in one way when all is well: with the one 2xx or 3xx it declares. */
export function successOf({ routeOptions }: FastifyRequest): number {
  const declared = Object.keys((routeOptions.schema?.response ?? {}) as object).find((status) =>
    /^[23]\d\d$/.test(status),
  )
  return declared ? Number(declared) : 200
}

function describeAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  const { id, version } = (payload ?? {}) as { id?: unknown; version?: unknown }
  if (typeof version === 'number') reply.header('etag', `"${version}"`)
  if (reply.statusCode === 201 && typeof id === 'string') reply.header('location', locationOf(request, id))
  const page = Array.isArray(payload) ? pageBehind.get(payload) : isPage(payload) ? payload : undefined
  if (page) reply.headers(listHeaders(request, page))
}

export function locationOf(request: FastifyRequest, id: string): string {
  const collection = request.routeOptions.config.madeIn ?? pathOf(request)
  return `${collection.replace(/\/$/, '')}/${id}`
}

const pathOf = ({ raw }: FastifyRequest) => (raw.url ?? '').split('?')[0]!

const pageBehind = new WeakMap<object, Page<unknown>>()

/** For the lists whose body is a bare array: everything else about the page is told by headers. */
export function asArray<T>(page: Page<T>): T[] {
  pageBehind.set(page.items, page)
  return page.items
}

const isPage = (payload: unknown): payload is Page<unknown> =>
  typeof payload === 'object' && payload !== null && 'items' in payload && 'next_cursor' in payload

function listHeaders(request: FastifyRequest, page: Page<unknown>): Record<string, string> {
  const { limit, offset, total, total_relation, next_cursor } = page
  const at = (change: Record<string, string | undefined>, relation: string) => {
    const url = new URL(request.raw.url ?? '/', 'http://list')
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    }
    return `<${url.pathname}${url.search}>; rel="${relation}"`
  }
  const links = [at({ cursor: undefined, offset: undefined }, 'first')]
  if (offset > 0) links.push(at({ offset: String(Math.max(0, offset - limit)) }, 'prev'))
  if (next_cursor) links.push(at({ cursor: next_cursor, offset: undefined }, 'next'))
  return {
    link: links.join(', '),
    ...(total !== null && { 'x-total-count': String(total) }),
    ...(total_relation === 'gte' && { 'x-total-relation': 'gte' }),
  }
}

/** The version the caller saw last (`If-Match`), or undefined when the last write may win. */
export function expectedVersion({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const expected = headers['if-match']
  if (expected === undefined || expected === '*') return undefined
  const version = /^"(\d{1,9})"$/.exec(expected)?.[1]
  if (version === undefined) throw versionMismatch()
  return Number(version)
}
