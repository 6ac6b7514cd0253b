import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Page } from '#platform/db'
import { invalid, versionMismatch } from '#platform/errors'
import { logCompletedRequest } from '#platform/telemetry'
import { constantHeaders } from './network/headers.ts'

type RequestEnd = {
  status: number
  hasClientDisconnected: boolean
  seconds: number
}
type Listener = (request: FastifyRequest, end: RequestEnd) => void

const listenersByApp = new WeakMap<FastifyInstance, Listener[]>()

/** Calls `listener` once per request, also after a disconnect, when Fastify calls no `onResponse`. Register it before the routes. */
export function onRequestEnd(app: FastifyInstance, listener: Listener): void {
  const listeners = listenersByApp.get(app) ?? watchRequests(app)
  listeners.push(listener)
}

type WatchedRequest = { markProcessed(): void }

function watchRequests(app: FastifyInstance): Listener[] {
  const listeners: Listener[] = []
  listenersByApp.set(app, listeners)
  const watched = new WeakMap<FastifyRequest, WatchedRequest>()
  app.addHook('onRequest', async (request, reply) => {
    const report = (end: RequestEnd) => {
      for (const listener of listeners) listener(request, end)
    }
    watched.set(request, watchResponse(reply, report))
  })
  app.addHook('onSend', async (request) => watched.get(request)?.markProcessed())
  app.addHook('onRoute', (route) => {
    route.handler = afterHandler(route.handler, (request) => watched.get(request)?.markProcessed())
  })
  return listeners
}

function watchResponse({ raw }: FastifyReply, report: (end: RequestEnd) => void): WatchedRequest {
  const startedAt = performance.now()
  let [isProcessed, hasEnded, isReported] = [false, raw.destroyed, false]
  function reportOnce(hasClientDisconnected: boolean): void {
    if (isReported) return
    isReported = true
    report({ status: raw.statusCode, hasClientDisconnected, seconds: (performance.now() - startedAt) / 1_000 })
  }
  raw.once('finish', () => reportOnce(false))
  raw.once('close', () => {
    hasEnded = true
    if (isProcessed) reportOnce(true)
  })
  return {
    markProcessed() {
      isProcessed = true
      if (hasEnded) reportOnce(true)
    },
  }
}

/** Fastify sends no response for a handler without a result if the client has disconnected, so `onSend` is not enough. */
function afterHandler(handler: RouteOptions['handler'], onEmptyResult: (request: FastifyRequest) => void) {
  const wrapped: RouteOptions['handler'] = function (request, reply) {
    const result: unknown = handler.call(this, request, reply)
    if (!(result instanceof Promise)) return result
    return result.then((payload) => {
      if (payload === undefined && reply.raw.destroyed) onEmptyResult(request)
      return payload
    })
  }
  return wrapped
}

export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const id = headers['x-request-id']
  return typeof id === 'string' && /^[\w.-]{1,128}$/.test(id) ? id : randomUUID()
}

/** Sets status, Location, ETag, Link and the other headers that all routes have in common. */
export function registerResponseConventions(app: FastifyInstance, { log = app.log }: { log?: object }): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(constantHeaders).header('x-request-id', request.id)
    const { responseHeaders } = request.routeOptions.config
    if (responseHeaders) reply.headers(responseHeaders)
    done()
  })
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, successStatus: successStatusOf(route) }
  })
  app.addHook('preHandler', (request, reply, done) => {
    reply.code(request.routeOptions.config.successStatus ?? 200)
    done()
  })
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (reply.statusCode < 300) reply.headers(resourceHeaders(request, reply.statusCode, payload))
    return payload
  })
  onRequestEnd(app, (request, { status, hasClientDisconnected, seconds }) => {
    logCompletedRequest(log, request.id, {
      req: request,
      res: { statusCode: status },
      tenant_id: request.tenant?.id,
      ms: Math.round(seconds * 1_000),
      ...(hasClientDisconnected && { client_disconnected: true as const }),
    })
  })
}

function successStatusOf({ schema }: RouteOptions): number {
  const declared = Object.keys((schema?.response ?? {}) as object).find((status) => /^[23]\d\d$/.test(status))
  return declared ? Number(declared) : 200
}

/** Sets 202 if a task continues the work, otherwise 200. Call it in the transaction, which stores the status for repeated requests. */
export function setAcceptedStatus<T extends object>(reply: FastifyReply, result: T): T {
  reply.code('task_id' in result && result.task_id ? 202 : 200)
  return result
}

export function resourceHeaders(request: FastifyRequest, status: number, payload: unknown): Record<string, string> {
  const { id, version } = (payload ?? {}) as { id?: unknown; version?: unknown }
  const page = Array.isArray(payload) ? pageOfItems.get(payload) : isPage(payload) ? payload : undefined
  return {
    ...(typeof version === 'number' && { etag: `"${version}"` }),
    ...(status === 201 && typeof id === 'string' && { location: locationOf(request, id) }),
    ...(page && listHeaders(request, page)),
  }
}

function locationOf(request: FastifyRequest, id: string): string {
  const collection = request.routeOptions.config.collectionPath ?? pathOf(request)
  return `${collection.replace(/\/$/, '')}/${id}`
}

const pathOf = ({ raw }: FastifyRequest) => (raw.url ?? '').split('?')[0]!

const pageOfItems = new WeakMap<object, Page<unknown>>()

/** Responds with a bare array; the page information is only in the headers. */
export function toArrayResponse<T>(page: Page<T>): T[] {
  pageOfItems.set(page.items, page)
  return page.items
}

const isPage = (payload: unknown): payload is Page<unknown> =>
  typeof payload === 'object' && payload !== null && 'items' in payload && 'next_cursor' in payload

function listHeaders(request: FastifyRequest, page: Page<unknown>): Record<string, string> {
  const { limit, offset, total, total_relation, next_cursor } = page
  const linkTo = (change: Record<string, string | undefined>, relation: string) => {
    const url = new URL(request.raw.url ?? '/', 'http://list')
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    }
    return `<${url.pathname}${url.search}>; rel="${relation}"`
  }
  const links = [linkTo({ cursor: undefined, offset: undefined }, 'first')]
  if (offset > 0) links.push(linkTo({ offset: String(Math.max(0, offset - limit)) }, 'prev'))
  if (next_cursor) links.push(linkTo({ cursor: next_cursor, offset: undefined }, 'next'))
  return {
    link: links.join(', '),
    ...(total !== null && { 'x-total-count': String(total) }),
    ...(total_relation === 'gte' && { 'x-total-relation': 'gte' }),
  }
}

export function expectedVersion({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const expected = headers['if-match']
  if (expected === undefined || expected === '*') return undefined
  const version = /^"(\d{1,9})"$/.exec(expected)?.[1]
  if (version !== undefined) return Number(version)
  if (entityTags.test(expected)) throw versionMismatch()
  throw invalid(
    'header',
    '/if-match',
    'format',
    '`If-Match` must be a version in double quotes, such as `"3"`, as in the `ETag` header.',
  )
}

const entityTags = /^(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*$/
