import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { AppError } from '#platform/errors'
import type { BodyKind, RouteConfig } from '../route-config.ts'

const kibibyte = 1_024
const mebibyte = 1_048_576
const authBodyLimit = 16 * kibibyte
const defaultSeconds = 10
/** A client may read the response before it has sent the rest of its body, so the connection stays open for this time. */
const lingerMs = 5_000

export const bodyKindOf = ({ routeOptions }: FastifyRequest): BodyKind => routeOptions.config.body ?? 'json'

export function limitBodies(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.bodyLimit = bodyLimitOf(route)
    const { bodySeconds = 0 } = (route.config ?? {}) as RouteConfig
    app.server.requestTimeout = Math.max(app.server.requestTimeout, bodySeconds * 1_000)
  })
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (hasBody(raw.headers)) reply.raw.once('finish', () => closeUnlessComplete(raw, reply.raw))
  })
  app.addHook('preParsing', async (request, _reply, payload) => {
    const { raw, routeOptions, method } = request
    if (!hasBody(raw.headers) || ignoresBody(method)) return payload
    // The stream of a disconnected client emits no further events, so Fastify would wait for the body forever.
    if (raw.destroyed) throw incompleteBody()
    if (Number(raw.headers['content-length'] ?? 0) > routeOptions.bodyLimit) throw bodyTooLarge(routeOptions.bodyLimit)
    // Slow bodies would keep connections open (slowloris).
    const timeout = setTimeout(() => raw.destroy(), (routeOptions.config.bodySeconds ?? defaultSeconds) * 1_000)
    payload.once('close', () => clearTimeout(timeout))
    payload.once('end', () => clearTimeout(timeout))
    return payload
  })
}

function bodyLimitOf({ url, config = {} }: RouteOptions): number {
  const { bodyLimit } = config as RouteConfig
  return bodyLimit ?? (url.startsWith('/api/auth/') ? authBodyLimit : mebibyte)
}

/** Fastify does not read the bodies of these methods. */
const ignoresBody = (method: string) => method === 'GET' || method === 'HEAD'

export const hasBody = ({ 'content-length': length = '0', 'transfer-encoding': encoding }: IncomingHttpHeaders) =>
  encoding !== undefined || length !== '0'

function closeUnlessComplete(request: IncomingMessage, { shouldKeepAlive }: ServerResponse): void {
  if (request.complete || !shouldKeepAlive) return
  const timeout = setTimeout(() => request.destroy(), lingerMs).unref()
  request.once('close', () => clearTimeout(timeout))
  request.once('end', () => clearTimeout(timeout))
}

export function bodyTooLarge(limit: number): AppError {
  const size = limit < mebibyte ? `${limit / kibibyte} KiB` : `${limit / mebibyte} MiB`
  return new AppError(413, 'too_large', `The body must not exceed ${size}.`)
}

/** Recorded only: the client has disconnected or was disconnected because it was too slow. */
export const incompleteBody = () =>
  new AppError(422, 'malformed_json', 'The body must be sent completely within the time limit.')
