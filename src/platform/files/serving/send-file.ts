import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TenantTx } from '#platform/db'
import { notFound, unauthenticated } from '#platform/errors'
import { storageKey } from '#platform/storage'
import { fileQuarantined, scanPending } from '../file-errors.ts'
import { type FileRow, getFile } from '../files.queries.ts'
import { isInlineType } from '../formats/file-type.ts'
import { type FilesContext, getPurpose } from '../purposes.ts'
import { fileHeaders } from './file-headers.rules.ts'
import { sendBlob } from './send-blob.ts'

export type FileDownload = {
  findFileId(tx: TenantTx): Promise<string>
  isDownload?: boolean
  /** Without sign-in: files that are not ready are not found, and responses can be cached. */
  isPublic?: boolean
}

export async function sendFile(
  context: FilesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { findFileId, isDownload = false, isPublic = false }: FileDownload,
): Promise<FastifyReply> {
  const disposition = isDownload || request.ticket?.disposition === 'attachment' ? 'attachment' : 'inline'
  const wanted = { findFileId, isPublic, disposition } as const
  const file = await request.inTenant((tx) => getReadableFile(tx, context, request, wanted))
  if (isPublic && !isReady(file)) throw notFound('file')
  assertReady(file)
  const cacheControl = isPublic && !request.ticket ? 'public, max-age=300' : 'private, no-cache'
  const headers = fileHeaders(file, disposition, cacheControl)
  const key = storageKey(request.tenant.id, file.storage_area, file.id)
  return await sendBlob(context, request, reply, { key, size: file.size_bytes, headers })
}

type Wanted = Pick<FileDownload, 'findFileId' | 'isPublic'> & { disposition: 'inline' | 'attachment' }

async function getReadableFile(
  tx: TenantTx,
  { purposes, clock }: FilesContext,
  { actor, ticket }: FastifyRequest,
  { findFileId, isPublic, disposition }: Wanted,
): Promise<FileRow> {
  const id = await findFileId(tx)
  if (ticket && ticket.fileId !== id && isPublic) throw notFound('file')
  if (ticket && ticket.fileId !== id)
    throw unauthenticated('authentication_required', 'The ticket was issued for another file. Request a new URL.')
  const file = await getFile(tx, id)
  const reader = {
    userId: ticket ? ticket.userId : (actor?.userId ?? null),
    visitId: ticket?.visitId ?? null,
    ticketIssuedAt: ticket?.issuedAt ?? null,
    isDownload: disposition === 'attachment' || !isInlineType(file.media_type),
    now: clock.now(),
  }
  const mayRead = await getPurpose(purposes, file.purpose).mayRead(tx, file, reader)
  if (!mayRead || file.missing_at) throw notFound('file')
  return file
}

const isReady = ({ scan_status }: FileRow) => scan_status === 'clean' || scan_status === 'skipped'

function assertReady(file: FileRow): void {
  if (file.scan_status === 'pending') throw scanPending()
  if (!isReady(file)) throw fileQuarantined()
}
