import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { AppError, invalid } from '#platform/errors'
import type { RouteConfig } from '../route-config.ts'
import { type JsonSize, measureJson } from './json-size.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })
const malformed = () => new AppError(422, 'malformed_json', 'The body must be valid JSON.')

const bodyTimeoutMs = 10_000
const kibibyte = 1_024
const mebibyte = 1_048_576
const authBodyLimit = 16 * kibibyte

/** Allows 10,000 ids of a bulk action, 200 custom lists of 200 values, and a scoring config with 3,000 conditions. */
const limits: JsonSize = { values: 50_000, keys: 10_000, depth: 20 }
const smallBody = { bytes: 64 * kibibyte, values: 2_000 }
const largeBodies = new WeakSet<object>()

/** True if only the first problem of the body is reported, because finding all of them would take too long. */
export const isLargeBody = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && largeBodies.has(body)

/** Recorded only: the client has disconnected or was disconnected because it was too slow. */
export const incompleteBody = () =>
  new AppError(422, 'malformed_json', 'The body must be sent completely within ten seconds.')

export function registerJsonParser(app: FastifyInstance): void {
  app.addHook('onRoute', limitBody)
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (!hasBody(request.headers)) return payload
    // The stream of a disconnected client emits no further events, so Fastify would wait for the body forever.
    if (request.raw.destroyed) throw incompleteBody()
    // Slow bodies would keep connections open (slowloris).
    const timeout = setTimeout(() => request.raw.destroy(), bodyTimeoutMs)
    payload.once('close', () => clearTimeout(timeout))
    payload.once('end', () => clearTimeout(timeout))
    return payload
  })
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const charset = /charset="?([\w-]+)"?/i.exec(request.headers['content-type'] ?? '')?.[1]
    if (charset && charset.toLowerCase() !== 'utf-8')
      return done(new AppError(415, 'unsupported_media_type', '`Content-Type` must be application/json in UTF-8.'))
    if (request.headers['content-encoding'])
      return done(
        new AppError(415, 'unsupported_media_type', '`Content-Encoding` must not be set. Send the body uncompressed.'),
      )
    if (body.length === 0) return done(null, {})
    const size = measureJson(body, limits)
    const exceeded = exceededLimit(size)
    if (exceeded) return done(exceeded)
    const text = decodeUtf8(body)
    if (text === undefined) return done(malformed())
    parse(request, text, (error, value: unknown) => {
      if (error) return done(malformed())
      const isSmall = body.length <= smallBody.bytes && size.values <= smallBody.values
      if (!isSmall && typeof value === 'object' && value !== null) largeBodies.add(value)
      done(null, value)
    })
  })
}

function limitBody(route: RouteOptions): void {
  const { bodyLimit } = (route.config ?? {}) as RouteConfig
  route.bodyLimit = bodyLimit ?? (route.url.startsWith('/api/auth/') ? authBodyLimit : mebibyte)
}

export function bodyTooLarge(limit: number): AppError {
  const size = limit < mebibyte ? `${limit / kibibyte} KiB` : `${limit / mebibyte} MiB`
  return new AppError(413, 'too_large', `The body must not exceed ${size}.`)
}

function exceededLimit({ values, keys, depth }: JsonSize): AppError | undefined {
  const tooMany = (limit: number, noun: string) =>
    new AppError(413, 'too_large', `The body must not contain more than ${limit.toLocaleString('en')} ${noun}.`)
  if (values > limits.values) return tooMany(limits.values, 'values')
  if (keys > limits.keys) return tooMany(limits.keys, 'field names')
  if (depth > limits.depth)
    return invalid('body', '', 'depth', `The body must not be nested more than ${limits.depth} levels deep.`)
  return undefined
}

const hasBody = ({ 'content-length': length = '0', 'transfer-encoding': encoding }: IncomingHttpHeaders) =>
  encoding !== undefined || length !== '0'

function decodeUtf8(body: Buffer): string | undefined {
  try {
    return decoder.decode(body)
  } catch {
    return undefined
  }
}
