import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, notFound } from '#platform/errors'
import { BlobNotFoundError, type BlobStore, type ByteRange } from '#platform/storage'
import type { Log } from '#platform/telemetry'
import { storageUnavailable } from '../file-errors.ts'
import type { FilesContext } from '../purposes.ts'
import { parseRange } from './byte-range.rules.ts'

export type ServedBlob = {
  key: string
  size: number
  headers: Readonly<Record<string, string>> & { etag: string }
}

const stalledMs = 60_000

/** Answers with a blob or a range of it. Supports HEAD, `If-None-Match` and `If-Range`. */
export async function sendBlob(
  context: Pick<FilesContext, 'storage' | 'limitDownloads'> & { log: Pick<Log, 'error'> },
  request: FastifyRequest,
  reply: FastifyReply,
  { key, size, headers }: ServedBlob,
): Promise<FastifyReply> {
  if (isNotModified(request, headers.etag)) {
    const { etag, 'cache-control': caching, 'last-modified': modified } = headers
    return reply.code(304).headers({ etag, 'cache-control': caching, 'last-modified': modified }).send()
  }
  const range = requestedRange(request, headers.etag, size)
  if (range === 'unsatisfiable') throw rangeNotSatisfiable(size)
  if (request.method === 'HEAD') return reply.headers({ ...headers, 'content-length': size }).send()
  const stream = await holdSlot(context, request.tenant.id, reply, () => openBlob(context, key, range))
  destroyWhenStalled(stream, reply)
  return reply
    .code(range ? 206 : 200)
    .headers({ ...headers, ...rangeHeaders(size, range) })
    .send(stream)
}

async function openBlob(
  { storage, log }: { storage: BlobStore; log: Pick<Log, 'error'> },
  key: string,
  range?: ByteRange,
): Promise<Readable> {
  try {
    return (await storage.serve(key, range)).stream
  } catch (err) {
    log.error({ err, key }, 'a file could not be read')
    throw err instanceof BlobNotFoundError ? notFound('file') : storageUnavailable()
  }
}

/** Opens the blob when the workspace has a free slot, which is held until the response has ended. */
async function holdSlot(
  { limitDownloads }: Pick<FilesContext, 'limitDownloads'>,
  tenantId: string,
  { raw }: FastifyReply,
  open: () => Promise<Readable>,
): Promise<Readable> {
  const { promise: opened, resolve, reject } = Promise.withResolvers<Readable>()
  limitDownloads(tenantId, async () => {
    const stream = await open()
    resolve(stream)
    if (raw.destroyed) stream.destroy()
    else await once(raw, 'close')
  }).catch(reject)
  return await opened
}

/** Frees the connection and the open file of a client that has stopped reading. */
function destroyWhenStalled(stream: Readable, { raw }: FastifyReply): void {
  let written = -1
  const timer = setInterval(() => {
    const current = raw.socket?.bytesWritten ?? 0
    if (current === written) stream.destroy()
    written = current
  }, stalledMs).unref()
  raw.once('close', () => clearInterval(timer))
}

function isNotModified({ headers }: FastifyRequest, etag: string): boolean {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

function requestedRange(
  { method, headers }: FastifyRequest,
  etag: string,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const condition = headers['if-range']
  if (method === 'HEAD' || (condition !== undefined && condition !== etag)) return undefined
  const range = parseRange(headers.range, size)
  return range === 'whole' ? undefined : range
}

const rangeHeaders = (size: number, range: ByteRange | undefined) =>
  range
    ? { 'content-range': `bytes ${range.start}-${range.end}/${size}`, 'content-length': range.end - range.start + 1 }
    : { 'content-length': size }

const rangeNotSatisfiable = (size: number) =>
  new AppError(416, 'range_not_satisfiable', '`Range` must begin before the end of the file.', {
    headers: { 'content-range': `bytes */${size}` },
  })
