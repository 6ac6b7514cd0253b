import { buffer } from 'node:stream/consumers'
import type { TenantTx } from '#platform/db'
import type { BlobStore, ByteRange } from '#platform/storage'
import { compareBlobs, compareFiles, filterOrphans, type StorageComparison } from './compare-storage.ts'
import { findUsageDrift, lockFileUsage, updateFileUsage } from './file-usage.queries.ts'

export async function findOrphanedBlobs(comparison: StorageComparison, limit: number): Promise<string[]> {
  const found: string[] = []
  for await (const { orphans } of compareBlobs(comparison)) {
    found.push(...orphans)
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}

export async function deleteOrphanedBlobs(comparison: StorageComparison, keys: readonly string[]): Promise<number> {
  const orphans = await filterOrphans(comparison, keys)
  for (const key of orphans) await comparison.storage.delete(key)
  return orphans.length
}

export async function findMissingFiles(comparison: StorageComparison, limit: number): Promise<string[]> {
  const storedKeys = new Set<string>()
  for await (const { stored } of compareBlobs(comparison)) for (const key of stored) storedKeys.add(key)
  const found: string[] = []
  for await (const { missing } of compareFiles(comparison, storedKeys)) {
    found.push(...missing.map(({ id }) => id))
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}

/** Returns the tenant if its used bytes differ from the sizes of its files. */
export async function findFileUsageDrift(tx: TenantTx): Promise<string[]> {
  const tenantId = await findUsageDrift(tx)
  return tenantId ? [tenantId] : []
}

/** Locks the row that every upload locks first, so that no file is counted twice or missed. */
export async function recountFileUsage(tx: TenantTx): Promise<number> {
  await lockFileUsage(tx)
  return await updateFileUsage(tx)
}

export async function readBlob(storage: BlobStore, key: string, range: ByteRange): Promise<Buffer> {
  const { stream } = await storage.get(key, range)
  return buffer(stream)
}
