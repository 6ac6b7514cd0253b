import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import type { BlobListing } from '#platform/storage'
import { findFileAreas, listFilesAfter } from './files.queries.ts'
import type { FilesContext } from './purposes.ts'

export type StorageComparison = Pick<FilesContext, 'storage' | 'clock'> & {
  tenantId: string
  inTenant<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  signal: AbortSignal
}

const batchSize = 1_000
const areas = ['files', 'quarantine'] as const
/** Uploads take less time than this, so younger bytes may still get their row. */
const minimumAgeDays = 1

const settledBefore = ({ clock }: StorageComparison) => daysLater(clock.now(), -minimumAgeDays)
const idOf = (key: string) => key.slice(key.lastIndexOf('/') + 1)
const isUuid = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)

/** Yields all stored keys in batches, with those older than a day that no file refers to. */
export async function* compareBlobs(comparison: StorageComparison) {
  const { storage, tenantId, signal } = comparison
  const before = settledBefore(comparison)
  for (const area of areas)
    for await (const blobs of inBatches(storage.list(`${tenantId}/${area}/`))) {
      signal.throwIfAborted()
      const settled = blobs.filter(({ modifiedAt }) => modifiedAt < before).map(({ key }) => key)
      yield { stored: blobs.map(({ key }) => key), orphans: await filterOrphans(comparison, settled) }
    }
}

export async function filterOrphans({ inTenant }: StorageComparison, keys: readonly string[]): Promise<string[]> {
  if (!keys.length) return []
  const areaById = await inTenant((tx) => findFileAreas(tx, keys.map(idOf).filter(isUuid)))
  return keys.filter((key) => areaById.get(idOf(key)) !== key.split('/')[1])
}

/** Yields, in batches, the files older than a day whose bytes are not stored, and those whose bytes are stored again. */
export async function* compareFiles(comparison: StorageComparison, stored: ReadonlySet<string>) {
  const { tenantId, inTenant, signal } = comparison
  const before = settledBefore(comparison)
  for (let afterId: string | undefined = nilUuid; afterId; ) {
    signal.throwIfAborted()
    const page: string = afterId
    const files = await inTenant((tx) => listFilesAfter(tx, { after: page, limit: batchSize, createdBefore: before }))
    const isStored = ({ id, storage_area }: (typeof files)[number]) => stored.has(`${tenantId}/${storage_area}/${id}`)
    yield {
      missing: files.filter((file) => !isStored(file)),
      found: files.filter((file) => isStored(file) && file.missing_at),
    }
    afterId = files.length === batchSize ? files.at(-1)?.id : undefined
  }
}

async function* inBatches(blobs: AsyncIterable<BlobListing>): AsyncGenerator<BlobListing[]> {
  let batch: BlobListing[] = []
  for await (const blob of blobs) {
    batch.push(blob)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length) yield batch
}
