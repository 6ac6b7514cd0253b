import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/errors'

const decoder = new TextDecoder('utf-8', { fatal: true })
const malformed = () => new AppError(422, 'malformed_json', 'The body is not valid JSON.')

const bodyMilliseconds = 10_000

/** One parser, for JSON in UTF-8 and nothing else. An empty body counts as `{}`. */
export function parseJsonOnly(app: FastifyInstance): void {
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (!hasBody(request.headers)) return payload
    // Whoever sends a body a byte at a time holds a connection for nothing.
    const tooSlow = setTimeout(() => request.raw.destroy(), bodyMilliseconds)
    payload.once('close', () => clearTimeout(tooSlow))
    payload.once('end', () => clearTimeout(tooSlow))
    return payload
  })
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const charset = /charset="?([\w-]+)"?/i.exec(request.headers['content-type'] ?? '')?.[1]
    if (charset && charset.toLowerCase() !== 'utf-8')
      return done(new AppError(415, 'unsupported_media_type', 'Send application/json in UTF-8.'))
    if (request.headers['content-encoding'])
      return done(new AppError(415, 'unsupported_media_type', 'Send the body uncompressed.'))
    if (body.length === 0) return done(null, {})
    const text = decoded(body)
    if (text === undefined) return done(malformed())
    parse(request, text, (error, value) => (error ? done(malformed()) : done(null, value)))
  })
}

const hasBody = ({ 'content-length': length = '0', 'transfer-encoding': encoding }: IncomingHttpHeaders) =>
  encoding !== undefined || length !== '0'

function decoded(body: Buffer): string | undefined {
  try {
    return decoder.decode(body)
  } catch {
    return undefined
  }
}
