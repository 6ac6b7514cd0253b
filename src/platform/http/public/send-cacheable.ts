import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasEntityTag } from '../static-file.ts'

/** Sends JSON that any cache may keep for some seconds. A request with the tag of the same content gets 304. */
export function sendCacheable(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  content: object,
  maxAgeSeconds: number,
): FastifyReply {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)
  const tag = `W/"${hash}"`
  reply.headers({ etag: tag, 'cache-control': `public, max-age=${maxAgeSeconds}` })
  return hasEntityTag(headers['if-none-match'], tag) ? reply.code(304).send() : reply.send(content)
}
