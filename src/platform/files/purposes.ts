import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { BlobStore } from '#platform/storage'
import type { Log } from '#platform/telemetry'
import type { FileRow } from './files.queries.ts'
import type { FileGroup } from './formats/file-type.ts'
import type { FileScanner } from './scan/scanner.ts'

/**
 * A signed-in user, the user or visit of a ticket, or an anonymous caller (all null). `ticketIssuedAt` lets a purpose reject
 * tickets after a sign-out. `isDownload` is true if the response is an attachment.
 */
export type FileReader = {
  userId: string | null
  visitId: string | null
  ticketIssuedAt: Date | null
  isDownload: boolean
  now: Date
}

export type FilePurpose = {
  name: string
  accepts: readonly FileGroup[]
  maxBytes?: number
  /** `any`: only text is accepted, in whatever encoding, and its reader decides whether it is valid. Otherwise text is UTF-8. */
  textEncodings?: 'any'
  /** Replaces the names that clients give to files, which can contain names of persons. */
  filename?: string
  /** Whether "clean all data" deletes its files: business data (default) or never. */
  clean?: 'business' | 'never'
  /** False if uploads and deletions are audited only with the record that has the file, because the record may be private. */
  isAudited?: false
  /** Called before every download, so that a revocation takes effect at once. */
  mayRead(tx: TenantTx, file: FileRow, reader: FileReader): Promise<boolean>
  /** Whether jobs create thumbnails and extract the text of its files, once they are scanned. */
  hasPreviews?: true
  /** Called in the transaction that stores the extracted text. */
  onTextExtracted?(tx: TenantTx, file: FileRow): Promise<void>
  /** Called in the transaction that ends the scan of a file without a finding. */
  onReady?(tx: TenantTx, file: FileRow): Promise<void>
  /** Called in the transaction that quarantines an infected file, for example to notify users. */
  onQuarantined?(tx: TenantTx, file: FileRow): Promise<void>
}

export function getPurpose(purposes: readonly FilePurpose[], name: string): FilePurpose {
  const purpose = purposes.find((candidate) => candidate.name === name)
  if (!purpose) throw new Error(`The file purpose ${name} is not registered.`)
  return purpose
}

export type FilesContext = {
  storage: BlobStore
  scanner: FileScanner | null
  clock: Clock
  log: Log
  purposes: readonly FilePurpose[]
  readQuota(tx: TenantTx): Promise<number>
  limitUploads<T>(tenantId: string, work: () => Promise<T>): Promise<T>
  limitDownloads<T>(tenantId: string, work: () => Promise<T>): Promise<T>
}
