import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { type FilePart, receiveMultipart } from '#platform/http'
import { newId } from '#platform/ids'
import { type StoredBlob, storageKey } from '#platform/storage'
import { quotaExceeded, storageUnavailable, unsupportedFile } from './file-errors.ts'
import { readBlob } from './file-integrity.ts'
import { type FileRow, getUsedBytes } from './files.queries.ts'
import { createFile } from './files.service.ts'
import { ArchiveError } from './formats/archive-directory.ts'
import { type FileTypeName, fileTypes, mediaTypesOf } from './formats/file-type.ts'
import { toSafeFilename } from './formats/filename.rules.ts'
import { findOfficeType } from './formats/office-type.ts'
import { assertAccepted, assertSize, inspectContent } from './inspect-content.ts'
import { type FilePurpose, type FilesContext, getPurpose } from './purposes.ts'

export type FileUpload<T> = {
  purpose: string
  /** The time after which the file is purged; otherwise it is kept until it is deleted. */
  deleteAfter?: Date
  check?(tx: TenantTx): Promise<void>
  /** Reads the stored bytes before the transaction of `save`. An error rejects the file. */
  read?(content: Readable, fields: Record<string, unknown>): Promise<void>
  save(tx: TenantTx, file: FileRow | undefined, fields: Record<string, unknown>): Promise<T>
}
type ReceivedFile = StoredBlob & { filename: string; typeName: FileTypeName; declaredType: string }

/** Stores the bytes first and the row after them, so that a row always has its file. */
export async function uploadFile<T>(
  context: FilesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  upload: FileUpload<T>,
): Promise<T | FastifyReply> {
  const purpose = getPurpose(context.purposes, upload.purpose)
  const quota = await request.inTenant(async (tx) => {
    await upload.check?.(tx)
    return assertWithinQuota(tx, context, Number(request.headers['content-length'] ?? 0))
  })
  const id = newId()
  const key = storageKey(request.tenant.id, 'files', id)
  const { fields, file } = await receiveOrDiscard(context, request, key, purpose)
  const content = { fields, sha256: file?.sha256.toString('hex') ?? null }
  if (await replayOrDiscard(context, request, reply, key, content)) return reply
  try {
    if (file && upload.read) await upload.read((await context.storage.get(key)).stream, fields)
    return await request.inTenant(async (tx) => {
      const row =
        file && (await createFile(tx, context, { ...toNewFile(id, purpose, file), delete_after: upload.deleteAfter }))
      if (row && (await getUsedBytes(tx)) > quota) throw quotaExceeded(quota)
      return upload.save(tx, row, fields)
    })
  } catch (error) {
    // After another error the commit may have succeeded, so the sweep decides about the bytes.
    if (error instanceof AppError) await discard(context, key)
    throw error
  }
}

const toNewFile = (
  id: string,
  { name, filename: fixedName }: FilePurpose,
  { filename, typeName, declaredType, size, sha256 }: ReceivedFile,
) => ({
  id,
  purpose: name,
  filename: toSafeFilename(fixedName ?? filename, fileTypes[typeName].extensions[0]),
  media_type: fileTypes[typeName].mediaType,
  declared_type: declaredType.slice(0, 200),
  size_bytes: size,
  sha256,
})

async function assertWithinQuota(tx: TenantTx, { readQuota }: FilesContext, announcedBytes: number): Promise<number> {
  const quota = await readQuota(tx)
  if ((await getUsedBytes(tx)) + announcedBytes > quota) throw quotaExceeded(quota)
  return quota
}

async function receiveOrDiscard(context: FilesContext, request: FastifyRequest, key: string, purpose: FilePurpose) {
  try {
    return await context.limitUploads(request.tenant.id, () =>
      receiveMultipart(request, (part) => storePart(context, key, part, purpose)),
    )
  } catch (error) {
    await discard(context, key)
    throw error
  }
}

async function replayOrDiscard(
  context: FilesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  content: unknown,
): Promise<boolean> {
  try {
    const isReplayed = await request.replayMultipart(reply, content)
    if (isReplayed) await discard(context, key)
    return isReplayed
  } catch (error) {
    await discard(context, key)
    throw error
  }
}

async function storePart(
  context: FilesContext,
  key: string,
  part: FilePart,
  purpose: FilePurpose,
): Promise<ReceivedFile> {
  const { filename, declaredType, content } = part
  const inspection = inspectContent(part, purpose)
  try {
    const stored = await context.storage.put(key, Readable.from(inspection.chunks, { objectMode: false }))
    const typeName = inspection.typeName() ?? (await inspectArchive(context, key, stored, filename, purpose))
    return { ...stored, filename, typeName, declaredType }
  } catch (error) {
    if (error instanceof AppError) throw error
    if (content.errored instanceof AppError) throw content.errored
    context.log.error({ err: error }, 'a file could not be stored')
    throw storageUnavailable()
  }
}

async function inspectArchive(
  { storage }: FilesContext,
  key: string,
  { size }: StoredBlob,
  filename: string,
  purpose: FilePurpose,
): Promise<FileTypeName> {
  const refusal = { detected: 'application/zip', accepted: mediaTypesOf(purpose.accepts) }
  try {
    const typeName = await findOfficeType((start, end) => readBlob(storage, key, { start, end }), size)
    if (!typeName) throw unsupportedFile('The file must not have the type application/zip.', refusal)
    assertAccepted(typeName, filename, purpose)
    assertSize(size, typeName, purpose)
    return typeName
  } catch (error) {
    if (error instanceof ArchiveError)
      throw unsupportedFile('The file must be a complete, unencrypted Office or OpenDocument file.', refusal)
    throw error
  }
}

async function discard({ storage, log }: FilesContext, key: string): Promise<void> {
  await storage.delete(key).catch((err: unknown) => log.warn({ err }, 'the bytes of a rejected file remain in storage'))
}
