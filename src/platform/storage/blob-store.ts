import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Inclusive on both ends, as in HTTP. An end past the last byte means the last byte. */
export type ByteRange = { start: number; end: number }
export type BlobHead = { size: number; contentType: string | null; modifiedAt: Date }
export type BlobListing = { key: string; size: number; modifiedAt: Date }
export type StoredBlob = { size: number; sha256: Buffer }
export type OpenedBlob = { stream: Readable; size: number; contentType: string | null }

/** Blobs that can be served at the same time. */
export const servedBlobs = 512

/** `isLarge` allows more than 78 GiB and needs more memory. */
export type PutOptions = { contentType?: string; isLarge?: boolean }

export type BlobStore = {
  /** Atomic: if it rejects, the previous blob is unchanged and the body is destroyed. */
  put(key: string, body: Readable | Buffer, options?: PutOptions): Promise<StoredBlob>
  /** `size` is the size of the whole blob, even for a range. The stream must be read or destroyed. */
  get(key: string, range?: ByteRange): Promise<OpenedBlob>
  /** Like `get`, for a client that may read slowly: it uses none of the connections of other operations. */
  serve(key: string, range?: ByteRange): Promise<OpenedBlob>
  head(key: string): Promise<BlobHead>
  delete(key: string): Promise<void>
  deletePrefix(prefix: string): Promise<void>
  list(prefix: string): AsyncIterable<BlobListing>
  ping(): Promise<void>
}

export class BlobNotFoundError extends Error {
  override readonly name = 'BlobNotFoundError'

  constructor() {
    super('The file does not exist in storage.')
  }
}

export class RangeNotSatisfiableError extends Error {
  override readonly name = 'RangeNotSatisfiableError'

  constructor() {
    super('The file is shorter than the requested range.')
  }
}

export function assertRange({ start, end }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start)
    throw new RangeNotSatisfiableError()
}

/** S3 returns one of these if no content type was set. */
const defaultContentTypes = ['application/octet-stream', 'binary/octet-stream', '']

export const contentTypeOrNull = (type = ''): string | null => (defaultContentTypes.includes(type) ? null : type)

type BodyDigest = { hash: Hash; size: number; bodyError: unknown }

export const createBodyDigest = (): BodyDigest => ({ hash: createHash('sha256'), size: 0, bodyError: undefined })

export const toStoredBlob = ({ size, hash }: BodyDigest): StoredBlob => ({ size, sha256: hash.digest() })

export function digestChunks(body: Readable | Buffer, digest: BodyDigest): AsyncIterable<Buffer> {
  if (Buffer.isBuffer(body)) return hashChunks([body], digest)
  // Without a listener, a body that fails before it is read would crash the process.
  body.on('error', () => {})
  return hashChunks(body, digest)
}

export function destroyBody(body: Readable | Buffer): void {
  if (!Buffer.isBuffer(body)) body.destroy()
}

async function* hashChunks(
  chunks: AsyncIterable<Buffer | string> | Buffer[],
  digest: BodyDigest,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of chunks) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      digest.hash.update(bytes)
      digest.size += bytes.length
      yield bytes
    }
  } catch (error) {
    digest.bodyError = error
    throw error
  }
}
