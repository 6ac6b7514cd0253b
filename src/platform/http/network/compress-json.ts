import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { acceptsEncoding } from '../static-file.ts'

const compress = promisify(gzip)
const minLength = 1_024
/** Fast, and a list of records is still a tenth of its size. */
const level = 4

/** Compresses JSON responses, except those with tokens: the compressed length of a secret next to known text reveals parts of it. */
export function compressJson(app: FastifyInstance): void {
  app.addHook('onSend', async ({ routeOptions, headers }, reply, payload) => {
    if (typeof payload !== 'string' || payload.length <= minLength) return payload
    if (routeOptions.url?.startsWith('/api/auth/') || !isJson(reply.getHeader('content-type'))) return payload
    reply.header('vary', 'accept-encoding')
    if (!acceptsEncoding(headers, 'gzip')) return payload
    const compressed = await compress(payload, { level })
    reply.header('content-encoding', 'gzip').header('content-length', compressed.length)
    return compressed
  })
}

const isJson = (type: unknown): boolean => /^application\/(problem\+)?json\b/.test(String(type))
