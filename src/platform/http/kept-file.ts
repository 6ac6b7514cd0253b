import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A text that does not change while the process lives: hashed and packed once, then only sent. */
export type KeptFile = { type: string; body: Buffer; packed: Buffer; hash: string }

const pack = promisify(gzip)

export async function keepFile(type: string, text: string): Promise<KeptFile> {
  const body = Buffer.from(text)
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16)
  return { type, body, packed: await pack(body, { level: 9 }), hash }
}

/** Whoever has it already is told so. The tag is a weak one because the text may travel packed or not. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: KeptFile, cacheControl: string) {
  const tag = `W/"${file.hash}"`
  reply.headers({ etag: tag, 'cache-control': cacheControl, vary: 'accept-encoding' })
  if (named(request.headers['if-none-match']).includes(tag)) return reply.code(304).send()
  const isPacked = /\bgzip\b(?!;\s*q=0(?:\.0+)?(?:,|$))/.test(String(request.headers['accept-encoding'] ?? ''))
  if (isPacked) reply.header('content-encoding', 'gzip')
  return reply.type(file.type).send(isPacked ? file.packed : file.body)
}

const named = (tags: string | undefined): string[] => (tags ?? '').split(',').map((tag) => tag.trim())
