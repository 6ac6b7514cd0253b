import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { BlobStore } from '#platform/storage'
import type { Log } from '#platform/telemetry'
import type { FilePurpose } from './purposes.ts'
import type { FileScanner } from './scan/scanner.ts'

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
