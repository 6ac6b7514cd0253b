import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type StaticFile = { type: string; body: Buffer; compressed: Buffer; hash: string }

const compress = promisify(gzip)

export async function createStaticFile(type: string, text: string): Promise<StaticFile> {
  const body = Buffer.from(text)
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16)
  return { type, body, compressed: await compress(body, { level: 9 }), hash }
}

export function sendStaticFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile, cacheControl: string) {
  const tag = `W/"${file.hash}"`
  reply.headers({ etag: tag, 'cache-control': cacheControl, vary: 'accept-encoding' })
  if (hasEntityTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  const acceptsGzip = /\bgzip\b(?!;\s*q=0(?:\.0+)?(?:,|$))/.test(String(request.headers['accept-encoding'] ?? ''))
  if (acceptsGzip) reply.header('content-encoding', 'gzip')
  return reply.type(file.type).send(acceptsGzip ? file.compressed : file.body)
}

/** Whether a list of tags, as in `If-None-Match`, has the tag. */
export const hasEntityTag = (tags: string | undefined, tag: string): boolean =>
  (tags ?? '').split(',').some((one) => one.trim() === tag)
