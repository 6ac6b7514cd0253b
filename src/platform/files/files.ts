import type { FastifyReply, FastifyRequest } from 'fastify'
import { createSemaphore } from '#platform/concurrency'
import type { Config } from '#platform/config'
import { servedBlobs } from '#platform/storage'
import type { FilesContext } from './context.ts'
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
