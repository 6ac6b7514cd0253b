import { Readable } from 'node:stream'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { newId } from '#platform/ids'
import { storageKey } from '#platform/storage'
import { fileTooLarge, quotaExceeded } from './file-errors.ts'
import { type FileRow, getUsedBytes } from './files.queries.ts'
import { createFile } from './files.service.ts'
import { type FileTypeName, fileTypes, groupLimits } from './formats/file-type.ts'
import { toSafeFilename } from './formats/filename.rules.ts'
import { type FilesContext, getPurpose } from './purposes.ts'

export type GeneratedFile<T> = {
  purpose: string
  filename: string
  type: FileTypeName
  chunks: AsyncIterable<string | Buffer>
  /** The time after which the file is purged; otherwise it is kept until it is deleted. */
  deleteAfter?: Date
  save(tx: TenantTx, file: FileRow): Promise<T>
}

export type JobOfTenant = { tenantId: string; inTenant<T>(work: (tx: TenantTx) => Promise<T>): Promise<T> }

/** Stores a file that a job writes, the bytes first and the row after them. A failed attempt leaves nothing. */
export async function storeFile<T>(
  context: FilesContext,
  { tenantId, inTenant }: JobOfTenant,
  { purpose, filename, type, chunks, deleteAfter, save }: GeneratedFile<T>,
): Promise<T> {
  const { maxBytes } = getPurpose(context.purposes, purpose)
  const { group, mediaType, extensions } = fileTypes[type]
  const id = newId()
  const key = storageKey(tenantId, 'files', id)
  const discard = () =>
    context.storage
      .delete(key)
      .catch((err: unknown) => context.log.warn({ err }, 'the bytes of a rejected file remain in storage'))
  const limited = limitBytes(chunks, Math.min(groupLimits[group], maxBytes ?? Number.POSITIVE_INFINITY))
  const { size, sha256 } = await context.storage
    .put(key, Readable.from(limited, { objectMode: false }))
    .catch(async (error: unknown) => {
      await discard()
      throw error
    })
  try {
    return await inTenant(async (tx) => {
      const file = await createFile(tx, context, {
        id,
        purpose,
        sha256,
        filename: toSafeFilename(filename, extensions[0]),
        media_type: mediaType,
        declared_type: null,
        size_bytes: size,
        delete_after: deleteAfter,
      })
      const quota = await context.readQuota(tx)
      if ((await getUsedBytes(tx)) > quota) throw quotaExceeded(quota)
      return await save(tx, file)
    })
  } catch (error) {
    // After another error the commit may have succeeded, so the sweep decides about the bytes.
    if (error instanceof AppError) await discard()
    throw error
  }
}

async function* limitBytes(chunks: AsyncIterable<string | Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    size += bytes.length
    if (size > maxBytes) throw fileTooLarge(maxBytes)
    yield bytes
  }
}
