import { daysLater } from '#platform/clock'
import type { SystemTx } from '#platform/db'
import { defineTenantSchedule, type TenantScheduleContext } from '#platform/jobs'
import type { BlobListing } from '#platform/storage'
import type { FilesContext } from './context.ts'
import { findFileAreas, listFilesAfter, updateMissingAt } from './files.queries.ts'

type SweepContext = Pick<FilesContext, 'storage' | 'clock'> & { listTenants(tx: SystemTx): Promise<string[]> }

const batchSize = 1_000
const areas = ['files', 'quarantine'] as const
const firstId = '00000000-0000-0000-0000-000000000000'
/** Uploads take less time than this, so younger bytes may still get their row. */
const minimumAgeDays = 1

export const sweepFilesSchedule = ({ storage, clock, listTenants }: SweepContext) =>
  defineTenantSchedule('platform.sweep_files', '43 4 * * 0', {
    listTenants,
    async runForTenant(context) {
      const before = daysLater(clock.now(), -minimumAgeDays)
      const stored = new Set<string>()
      for (const area of areas)
        for await (const blobs of inBatches(storage.list(`${context.tenantId}/${area}/`))) {
          for (const { key } of blobs) stored.add(key)
          await deleteOrphans(
            context,
            storage,
            area,
            blobs.filter(({ modifiedAt }) => modifiedAt < before),
          )
        }
      await markMissing(context, stored, before, clock.now())
    },
  })

const idOf = (key: string) => key.slice(key.lastIndexOf('/') + 1)

async function deleteOrphans(
  { inTenant, signal, log }: TenantScheduleContext,
  storage: FilesContext['storage'],
  area: string,
  blobs: BlobListing[],
): Promise<void> {
  signal.throwIfAborted()
  const areaById = await inTenant((tx) => findFileAreas(tx, blobs.map(({ key }) => idOf(key)).filter(isUuid)))
  const orphans = blobs.filter(({ key }) => areaById.get(idOf(key)) !== area)
  for (const { key } of orphans) await storage.delete(key)
  if (orphans.length) log.warn({ deleted: orphans.length }, 'deleted stored bytes without a file')
}

const isUuid = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)

async function markMissing(
  { inTenant, tenantId, signal, log }: TenantScheduleContext,
  stored: ReadonlySet<string>,
  before: Date,
  now: Date,
): Promise<void> {
  for (let afterId: string | undefined = firstId; afterId; ) {
    signal.throwIfAborted()
    const page: string = afterId
    const files = await inTenant((tx) => listFilesAfter(tx, page, before, batchSize))
    const isStored = ({ id, storage_area }: (typeof files)[number]) => stored.has(`${tenantId}/${storage_area}/${id}`)
    const missing = files.filter((file) => !isStored(file) && !file.missing_at).map(({ id }) => id)
    const found = files.filter((file) => isStored(file) && file.missing_at).map(({ id }) => id)
    if (missing.length)
      log.error({ file_ids: missing.slice(0, 20), count: missing.length }, 'files without stored bytes')
    if (missing.length) await inTenant((tx) => updateMissingAt(tx, missing, now))
    if (found.length) await inTenant((tx) => updateMissingAt(tx, found, null))
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
