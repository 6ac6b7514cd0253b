export {
  type BlobHead,
  type BlobListing,
  BlobMissing,
  type BlobStore,
  type ByteRange,
  RangeUnsatisfiable,
  type StoredBlob,
} from './blob-store.ts'
export { openBlobStore } from './open-blob-store.ts'
export { storageKey } from './storage-key.ts'
