export {
  type BlobHead,
  type BlobListing,
  BlobNotFoundError,
  type BlobStore,
  type ByteRange,
  RangeNotSatisfiableError,
  type StoredBlob,
  servedBlobs,
} from './blob-store.ts'
export { openBlobStore } from './open-blob-store.ts'
export { storageKey } from './storage-key.ts'
