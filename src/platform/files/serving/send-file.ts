import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TenantTx } from '#platform/db'
import { AppError, notFound, unauthenticated } from '#platform/errors'
import { BlobNotFoundError, type ByteRange, storageKey } from '#platform/storage'
import type { FilesContext } from '../context.ts'
import { fileQuarantined, scanPending, storageUnavailable } from '../file-errors.ts'
import { type FileRow, getFile } from '../files.queries.ts'
import { getPurpose } from '../purposes.ts'
import { parseRange } from './byte-range.rules.ts'
import { etagOf, fileHeaders } from './file-headers.rules.ts'

export type FileDownload = {
  findFileId(tx: TenantTx): Promise<string>
  isDownload?: boolean
  /** Without sign-in: files that are not ready are not found, and responses can be cached. */
  isPublic?: boolean
}

const stalledMs = 60_000

export async function sendFile(
  context: FilesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { findFileId, isDownload = false, isPublic = false }: FileDownload,
): Promise<FastifyReply> {
  const file = await request.inTenant((tx) => getReadableFile(tx, context, request, findFileId))
  if (isPublic && !isReady(file)) throw notFound('file')
  assertReady(file)
  const disposition = isDownload || request.ticket?.disposition === 'attachment' ? 'attachment' : 'inline'
  const cacheControl = isPublic ? 'public, max-age=300' : 'private, no-cache'
  const headers = fileHeaders(file, disposition, cacheControl)
  if (isNotModified(request, file)) {
    const { etag, 'cache-control': caching, 'last-modified': modified } = headers
    return reply.code(304).headers({ etag, 'cache-control': caching, 'last-modified': modified }).send()
  }
  const range = requestedRange(request, file)
  if (range === 'unsatisfiable') throw rangeNotSatisfiable(file.size_bytes)
  if (request.method === 'HEAD') return reply.headers({ ...headers, 'content-length': file.size_bytes }).send()
  const stream = await openFile(context, request, file, range)
  destroyWhenStalled(stream, reply)
  return reply
    .code(range ? 206 : 200)
    .headers({ ...headers, ...rangeHeaders(file, range) })
    .send(stream)
}

async function getReadableFile(
  tx: TenantTx,
  { purposes }: FilesContext,
  { actor, ticket }: FastifyRequest,
  findFileId: FileDownload['findFileId'],
): Promise<FileRow> {
  const id = await findFileId(tx)
  if (ticket && ticket.fileId !== id)
    throw unauthenticated('authentication_required', 'The ticket was issued for another file. Request a new URL.')
  const file = await getFile(tx, id)
  const reader = { userId: ticket ? ticket.userId : (actor?.userId ?? null), ticketIssuedAt: ticket?.issuedAt ?? null }
  const mayRead = await getPurpose(purposes, file.purpose).mayRead(tx, file, reader)
  if (!mayRead || file.missing_at) throw notFound('file')
  return file
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

const isReady = ({ scan_status }: FileRow) => scan_status === 'clean' || scan_status === 'skipped'

function assertReady(file: FileRow): void {
  if (file.scan_status === 'pending') throw scanPending()
  if (!isReady(file)) throw fileQuarantined()
}

function isNotModified({ headers }: FastifyRequest, file: FileRow): boolean {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etagOf(file)) || tags.includes('*')
}

function requestedRange({ method, headers }: FastifyRequest, file: FileRow): ByteRange | 'unsatisfiable' | undefined {
  const condition = headers['if-range']
  if (method === 'HEAD' || (condition !== undefined && condition !== etagOf(file))) return undefined
  const range = parseRange(headers.range, file.size_bytes)
  return range === 'whole' ? undefined : range
}

const rangeHeaders = ({ size_bytes: size }: FileRow, range: ByteRange | undefined) =>
  range
    ? { 'content-range': `bytes ${range.start}-${range.end}/${size}`, 'content-length': range.end - range.start + 1 }
    : { 'content-length': size }

const rangeNotSatisfiable = (size: number) =>
  new AppError(416, 'range_not_satisfiable', '`Range` must begin before the end of the file.', {
    headers: { 'content-range': `bytes */${size}` },
  })

async function openFile({ storage, log }: FilesContext, { tenant }: FastifyRequest, file: FileRow, range?: ByteRange) {
  try {
    const { stream } = await storage.get(storageKey(tenant.id, file.storage_area, file.id), range)
    return stream
  } catch (err) {
    log.error({ err, file_id: file.id }, 'a file could not be read')
    throw err instanceof BlobNotFoundError ? notFound('file') : storageUnavailable()
  }
}
