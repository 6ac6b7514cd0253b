import { Readable } from 'node:stream'
import type { NewImportedTenant } from '#modules/identity'
import { createPartitionsBetween, listTablesByTime, type SystemTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Tables } from '#platform/module'
import type { SecretBox } from '#platform/secrets'
import { BlobNotFoundError, type BlobStore, storageKey } from '#platform/storage'
import type { Manifest } from '../archives/archive-manifest.ts'
import { listPartitionMonths } from '../archives/partition-months.ts'
import {
  ArchiveError,
  type Entry,
  readEntries,
  readLines,
  tableOfPart,
  verifyArchive,
} from '../archives/read-archive.ts'
import { findSealedReader, type SealedReader } from '../archives/sealed-entries.ts'
import { importRows } from './import-rows.service.ts'

type ImportContext = {
  inSystem<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  storage: BlobStore
  tables: Tables
  secrets?: SecretBox
  now: Date
}
type ImportSource = { open(): Promise<Readable>; target: Omit<NewImportedTenant, 'id' | 'name'> & { name?: string } }

/** Creates a workspace from an archive: all of it or, after an error, nothing. */
export async function importArchive(context: ImportContext, { open, target }: ImportSource) {
  const { inSystem, storage, tables, secrets, now } = context
  const manifest = await verifySource(open)
  const readSealed = findSealedReader({ open, manifest, secrets })
  const tenant = { ...target, id: newId(), name: target.name ?? manifest.workspace.name }
  try {
    await createPastPartitions(context, { open, manifest })
    const fileIds = await importFiles(storage, { open, manifest, readSealed, tenantId: tenant.id })
    const source = { open, manifest, readSealed, tables }
    const imported = await inSystem((tx) => importRows(tx, { ...source, tenant, fileIds, now }))
    const { id: tenant_id, slug } = tenant
    const has_sealed_rows = readSealed !== undefined || !manifest.sealed
    return { tenant_id, slug, files: manifest.files.length, has_sealed_rows, ...imported }
  } catch (error) {
    await storage.deletePrefix(`${tenant.id}/`).catch(() => {})
    throw error
  }
}

async function verifySource(open: ImportSource['open']): Promise<Manifest> {
  try {
    return (await verifyArchive(await open())).manifest
  } catch (error) {
    throw error instanceof ArchiveError ? conflict('conflict', `${error.message} Nothing was imported.`) : error
  }
}

type PartitionContext = Pick<ImportContext, 'inSystem'> & { signal?: AbortSignal }

/** Tables by time have no default partition, and partitions for the last months only. They stay if the import fails. */
export async function createPastPartitions(
  { inSystem, signal = new AbortController().signal }: PartitionContext,
  { open, manifest }: ArchiveSource,
): Promise<void> {
  const tables = await inSystem(listTablesByTime)
  const archived = tables.filter(({ table }) => manifest.tables.some(({ name, rows }) => name === table && rows > 0))
  if (!archived.length) return
  const context = { inSystem, signal }
  for (const { table, since, until } of await listPartitionMonths(await open(), archived))
    await createPartitionsBetween(context, table, { since, until })
}

type ArchiveSource = Pick<ImportSource, 'open'> & { manifest: Manifest }
type FileSource = ArchiveSource & { tenantId: string; readSealed?: SealedReader; signal?: AbortSignal }

export async function importFiles(
  storage: BlobStore,
  { open, manifest, readSealed, ...target }: FileSource,
): Promise<string[]> {
  const readable = manifest.files.length ? await storeFiles(storage, readEntries(await open()), target) : []
  const sealed = readSealed ? await storeFiles(storage, readSealed(), target) : []
  return [...readable, ...sealed]
}

async function storeFiles(
  storage: BlobStore,
  entries: AsyncGenerator<Entry>,
  { tenantId, signal }: Pick<FileSource, 'tenantId' | 'signal'>,
): Promise<string[]> {
  const areas = new Map<string, string>()
  const stored: string[] = []
  for await (const { name, size, content } of entries) {
    signal?.throwIfAborted()
    if (tableOfPart(name) === 'platform.files')
      for (const line of await readLines(content)) {
        const { id, storage_area }: { id: string; storage_area: string } = JSON.parse(line)
        areas.set(id, storage_area)
      }
    const id = name.startsWith('files/') ? name.slice('files/'.length) : ''
    if (!areas.has(id)) continue
    const key = storageKey(tenantId, areas.get(id)!, id)
    if ((await findSize(storage, key)) !== size) await storage.put(key, Readable.from(content))
    stored.push(id)
  }
  return stored
}

const findSize = (storage: BlobStore, key: string): Promise<number | undefined> =>
  storage.head(key).then(
    ({ size }) => size,
    (error) => {
      if (error instanceof BlobNotFoundError) return undefined
      throw error
    },
  )
