import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(gzip)
const minLength = 1_024
/** Fast, and a list of records is still a tenth of its size. */
const level = 4

/** Compresses JSON responses, except those with tokens: the compressed length of a secret next to known text reveals parts of it. */
export function compressJson(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.onSend = [...[route.onSend ?? []].flat(), compressPayload]
  })
}

async function compressPayload({ routeOptions, headers }: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (typeof payload !== 'string' || payload.length <= minLength) return payload
  if (routeOptions.url?.startsWith('/api/auth/') || !isJson(reply.getHeader('content-type'))) return payload
  reply.header('vary', 'accept-encoding')
  if (!acceptsEncoding(headers, 'gzip')) return payload
  const compressed = await compress(payload, { level })
  reply.header('content-encoding', 'gzip').header('content-length', compressed.length)
  return compressed
}

const isJson = (type: unknown): boolean => /^application\/(problem\+)?json\b/.test(String(type))

const encodings = {
  br: /\bbr\b(?!;\s*q=0(?:\.0+)?(?:,|$))/,
  gzip: /\bgzip\b(?!;\s*q=0(?:\.0+)?(?:,|$))/,
}

export const acceptsEncoding = (headers: FastifyRequest['headers'], encoding: keyof typeof encodings): boolean =>
  encodings[encoding].test(String(headers['accept-encoding'] ?? ''))
