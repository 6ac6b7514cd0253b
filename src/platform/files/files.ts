import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { createSemaphore, mapConcurrently } from '#platform/concurrency'
import type { Config } from '#platform/config'
import type { TenantTx } from '#platform/db'
import { ProblemDetails } from '#platform/http'
import type { JobContext } from '#platform/jobs'
import { Id, nullable, strict, Timestamp } from '#platform/schema'
import { servedBlobs, storageKey } from '#platform/storage'
import { deleteFileRows, type FileRow, listFilesToClean } from './files.queries.ts'
import { fileTypes } from './formats/file-type.ts'
import type { FilesContext } from './purposes.ts'
import { createFileScanner } from './scan/scanner.ts'
import { type FileDownload, sendFile } from './serving/send-file.ts'
import { createFileTickets, type FileTickets } from './serving/tickets.ts'
import { type GeneratedFile, type JobOfTenant, storeFile } from './store-file.flow.ts'
import { type FileUpload, uploadFile } from './upload-file.flow.ts'

export type Files = {
  context: FilesContext
  tickets: FileTickets
  upload<T>(request: FastifyRequest, reply: FastifyReply, upload: FileUpload<T>): Promise<T | FastifyReply>
  store<T>(job: JobOfTenant, file: GeneratedFile<T>): Promise<T>
  send(request: FastifyRequest, reply: FastifyReply, download: FileDownload): Promise<FastifyReply>
}

/** An upload to S3 needs up to 24 MiB of memory. A workspace can use half of the slots. */
const uploadLimits = { concurrency: 8, maxPerKey: 4, maxQueued: 100, maxWaitMs: 20_000 }
/** A download holds its slot until the client has read it. */
const downloadLimits = { concurrency: servedBlobs, maxPerKey: servedBlobs / 2, maxQueued: 500, maxWaitMs: 10_000 }

type FilesConfig = Pick<Config, 'CLAMD_URL' | 'SIGNING_KEYS' | 'NODE_ENV'>

type FilesServices = Omit<FilesContext, 'scanner' | 'limitUploads' | 'limitDownloads'> & { config: FilesConfig }

export function createFiles(services: FilesServices): Files {
  const { config, ...rest } = services
  const context = {
    ...rest,
    scanner: createFileScanner(config),
    limitUploads: createSemaphore(uploadLimits),
    limitDownloads: createSemaphore(downloadLimits),
  }
  return {
    context,
    tickets: createFileTickets(config, rest.clock),
    upload: (request, reply, upload) => uploadFile(context, request, reply, upload),
    store: (job, file) => storeFile(context, job, file),
    send: (request, reply, download) => sendFile(context, request, reply, download),
  }
}

const binary = { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) }
const FileContent = {
  description: 'Content of the file.',
  content: Object.fromEntries(Object.values(fileTypes).map(({ mediaType }) => [mediaType, binary])),
}

export const fileResponses = {
  200: FileContent,
  206: FileContent,
  304: Type.Null({ description: 'Not modified.' }),
  409: ProblemDetails,
  416: ProblemDetails,
}

export const FileSummary = strict({
  id: Id,
  filename: Type.String(),
  media_type: Type.String(),
  size_bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ description: 'SHA-256 of the content in hexadecimal.' }),
  scan: strict({
    status: Type.Enum(['pending', 'clean', 'infected', 'failed', 'skipped']),
    engine: Type.Enum(['clamd', 'none']),
  }),
  uploaded_by: nullable(Id),
  created_at: Timestamp,
})

export const toFileSummary = (file: FileRow) => ({
  id: file.id,
  filename: file.filename,
  media_type: file.media_type,
  size_bytes: file.size_bytes,
  sha256: file.sha256.toString('hex'),
  scan: { status: file.scan_status as 'pending', engine: file.scan_engine as 'none' },
  uploaded_by: file.uploaded_by,
  created_at: file.created_at,
})

type FileBatch = {
  keptPurposes: readonly string[]
  limit: number
  save(tx: TenantTx, count: number): Promise<void>
}

/** Deletes the bytes before the rows, so that an interrupted batch is repeated. Returns the number of deleted files. */
export async function deleteFileBatch(
  { storage }: Pick<FilesContext, 'storage'>,
  { tenantId, inTenant }: Pick<JobContext, 'tenantId' | 'inTenant'>,
  { keptPurposes, limit, save }: FileBatch,
): Promise<number> {
  const files = await inTenant((tx) => listFilesToClean(tx, keptPurposes, limit))
  if (!files.length) return 0
  await mapConcurrently(files, 8, ({ id, storage_area }) => storage.delete(storageKey(tenantId, storage_area, id)))
  await inTenant(async (tx) => {
    const ids = files.map(({ id }) => id)
    await deleteFileRows(tx, ids)
    await save(tx, ids.length)
  })
  return files.length
}
