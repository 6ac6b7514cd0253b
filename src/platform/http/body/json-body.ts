import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, invalid } from '#platform/errors'
import type { RequestAuthenticator } from '../authentication.ts'
import { unsupportedMediaType } from './body-kind.ts'
import { bodyKindOf, bodyTooLarge } from './body-limits.ts'
import { type JsonSize, measureJson } from './json-size.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })
const malformed = () => new AppError(422, 'malformed_json', 'The body must be valid JSON.')

const kibibyte = 1_024
const unzip = promisify(gunzip)

/** Allows 10,000 ids of a bulk action, 200 custom lists of 200 values, and a scoring config with 3,000 conditions. */
const defaultSize: JsonSize = { values: 50_000, keys: 10_000, depth: 20 }
const smallBody = { bytes: 64 * kibibyte, values: 2_000 }
const largeBodies = new WeakSet<object>()

/** True if only the first problem of the body is reported, because finding all of them would take too long. */
export const isLargeBody = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && largeBodies.has(body)

type BodyServices = { authenticator: Pick<RequestAuthenticator, 'countLargeBody'> }
type Done = (error: Error | null, value?: unknown) => void

export function registerJsonParser(app: FastifyInstance, { authenticator }: BodyServices): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const charset = /charset="?([\w-]+)"?/i.exec(request.headers['content-type'] ?? '')?.[1]
    const isUtf8 = !charset || charset.toLowerCase() === 'utf-8'
    if (!isUtf8 || !bodyKindOf(request).endsWith('json')) return done(unsupportedMediaType(request))
    if (!request.headers['content-encoding']) return countAndParse(request, body, done)
    decompress(request, body).then((text) => countAndParse(request, text, done), done)
  })

  /** Parsing takes time of the event loop, which all workspaces share. */
  function countAndParse(request: FastifyRequest, body: Buffer, done: Done) {
    if (body.length <= smallBody.bytes || !request.tenant) return parseJson(request, body, done)
    authenticator.countLargeBody(request.tenant.id, body.length).then(() => parseJson(request, body, done), done)
  }

  function parseJson(request: FastifyRequest, body: Buffer, done: Done) {
    if (body.length === 0) return done(null, {})
    const limits = request.routeOptions.config.jsonSize ?? defaultSize
    const size = measureJson(body, limits)
    const exceeded = exceededLimit(size, limits)
    if (exceeded) return done(exceeded)
    const text = decodeUtf8(body)
    if (text === undefined) return done(malformed())
    parse(request, text, (error, value: unknown) => {
      if (error) return done(malformed())
      const isSmall = body.length <= smallBody.bytes && size.values <= smallBody.values
      if (!isSmall && typeof value === 'object' && value !== null) largeBodies.add(value)
      done(null, value)
    })
  }
}

async function decompress(request: FastifyRequest, body: Buffer): Promise<Buffer> {
  const { headers, routeOptions } = request
  if (bodyKindOf(request) !== 'gzip json')
    throw new AppError(415, 'unsupported_media_type', '`Content-Encoding` must not be set. Send the body uncompressed.')
  if (headers['content-encoding'] !== 'gzip')
    throw new AppError(415, 'unsupported_media_type', '`Content-Encoding` must be gzip.')
  return unzip(body, { maxOutputLength: routeOptions.bodyLimit }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(routeOptions.bodyLimit)
    throw new AppError(422, 'malformed_json', 'The body must be valid gzip.')
  })
}

function exceededLimit({ values, keys, depth }: JsonSize, limits: JsonSize): AppError | undefined {
  const tooMany = (limit: number, noun: string) =>
    new AppError(413, 'too_large', `The body must not contain more than ${limit.toLocaleString('en')} ${noun}.`)
  if (values > limits.values) return tooMany(limits.values, 'values')
  if (keys > limits.keys) return tooMany(limits.keys, 'field names')
  if (depth > limits.depth)
    return invalid('body', '', 'depth', `The body must not be nested more than ${limits.depth} levels deep.`)
  return undefined
}

function decodeUtf8(body: Buffer): string | undefined {
  try {
    return decoder.decode(body)
  } catch {
    return undefined
  }
}
