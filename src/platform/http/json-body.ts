import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/errors'

const decoder = new TextDecoder('utf-8', { fatal: true })
const malformed = () => new AppError(422, 'malformed_json', 'The body must be valid JSON.')

const bodyTimeoutMs = 10_000

export function registerJsonParser(app: FastifyInstance): void {
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (!hasBody(request.headers)) return payload
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
    const text = decodeUtf8(body)
    if (text === undefined) return done(malformed())
    parse(request, text, (error, value) => (error ? done(malformed()) : done(null, value)))
  })
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
