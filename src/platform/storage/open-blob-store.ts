import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '#platform/config'
import { trimEndOf, trimStartOf } from '#platform/text'
import type { BlobStore } from './blob-store.ts'
import { openDiskStore } from './disk-store.ts'

export type StorageConfig = Pick<
  Config,
  'STORAGE_URL' | 'S3_ENDPOINT' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'
>

export async function openBlobStore(config: StorageConfig): Promise<BlobStore> {
  const { STORAGE_URL: url } = config
  if (url.startsWith('file:')) return openDiskStore(folderOf(url))
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9_./-]*))?$/.exec(url) ?? []
  if (!bucket) throw new Error('STORAGE_URL must be file:///some/folder or s3://bucket/prefix')
  const { openS3Store } = await import('./s3-store.ts')
  return openS3Store({ ...config, bucket, prefix: trimStartOf(trimEndOf(prefix, /\//), /\//) })
}

/** Supports `file:./folder`, relative to the working directory, which a standard file URL cannot express. */
const folderOf = (url: string): string =>
  url.startsWith('file://') ? fileURLToPath(url) : resolve(decodeURIComponent(url.slice('file:'.length)))
