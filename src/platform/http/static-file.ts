import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsEncoding } from './network/compress-json.ts'

/** A font has no compressed content, because its format is compressed already. */
export type StaticFile = {
  type: string
  body: Buffer
  compressed: Buffer | null
  brotli?: Buffer | null
  hash: string
}

export const shortCache = 'public, max-age=300'
export const immutableCache = 'public, max-age=31536000, immutable'

const compress = promisify(gzip)

export async function createStaticFile(type: string, content: string | Buffer): Promise<StaticFile> {
  const body = Buffer.from(content)
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16)
  return { type, body, compressed: type.startsWith('font/') ? null : await compress(body, { level: 9 }), hash }
}

export function sendStaticFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile, cacheControl: string) {
  const tag = `W/"${file.hash}"`
  reply.headers({ etag: tag, 'cache-control': cacheControl, vary: 'accept-encoding' })
  if (hasEntityTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  const { encoding, content } = chooseEncoding(file, request.headers)
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(file.type).send(content)
}

function chooseEncoding({ body, compressed, brotli }: StaticFile, headers: FastifyRequest['headers']) {
  if (brotli && acceptsEncoding(headers, 'br')) return { encoding: 'br', content: brotli }
  if (compressed && acceptsEncoding(headers, 'gzip')) return { encoding: 'gzip', content: compressed }
  return { encoding: undefined, content: body }
}

/** Creates the file on first use; a failure is not cached. */
export function cacheFile(create: () => Promise<StaticFile>): () => Promise<StaticFile> {
  let file: Promise<StaticFile> | undefined
  return () => {
    file ??= create().catch((error) => {
      file = undefined
      throw error
    })
    return file
  }
}

/** Whether a list of tags, as in `If-None-Match`, has the tag. */
export const hasEntityTag = (tags: string | undefined, tag: string): boolean =>
  (tags ?? '').split(',').some((one) => one.trim() === tag)
