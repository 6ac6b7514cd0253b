import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Both ends are included, as in HTTP. An end past the last byte means the last byte. */
export type ByteRange = { start: number; end: number }
export type BlobHead = { size: number; contentType: string | null; modifiedAt: Date }
export type BlobListing = { key: string; size: number; modifiedAt: Date }
export type StoredBlob = { size: number; sha256: Buffer }

/** Where files lie. Keys come from `storageKey`; a prefix is `tenant/` or `tenant/area/`. */
export type BlobStore = {
  /** All or nothing: when it rejects, the key holds what it held before, and the body is destroyed. */
  put(key: string, body: Readable | Buffer, options?: { contentType?: string }): Promise<StoredBlob>
  /** `size` is that of the whole blob, also for a range. The stream must be read or destroyed. */
  get(key: string, range?: ByteRange): Promise<{ stream: Readable; size: number; contentType: string | null }>
  head(key: string): Promise<BlobHead>
  /** A blob that is already gone is no error. */
  delete(key: string): Promise<void>
  deletePrefix(prefix: string): Promise<void>
  /** In no promised order. Blobs that come or go meanwhile may or may not be listed. */
  list(prefix: string): AsyncIterable<BlobListing>
  ping(): Promise<void>
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing'

  constructor() {
    super('There is no such file in storage.')
  }
}

export class RangeUnsatisfiable extends Error {
  override readonly name = 'RangeUnsatisfiable'

  constructor() {
    super('The file is shorter than the requested range.')
  }
}

export function assertRange({ start, end }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start)
    throw new RangeUnsatisfiable()
}

/** A bucket gives every blob a type; these say that nobody named one. */
const untyped = ['application/octet-stream', 'binary/octet-stream', '']

export const typeOrNull = (type = ''): string | null => (untyped.includes(type) ? null : type)

type Tally = { hash: Hash; size: number; bodyError: unknown }

export const newTally = (): Tally => ({ hash: createHash('sha256'), size: 0, bodyError: undefined })

export const resultOf = ({ size, hash }: Tally): StoredBlob => ({ size, sha256: hash.digest() })

/** Hands the body on chunk by chunk, at the speed it is taken, counting and hashing what passes. */
export function measured(body: Readable | Buffer, tally: Tally): AsyncIterable<Buffer> {
  if (Buffer.isBuffer(body)) return passOn([body], tally)
  // A body may break before anyone reads it. That must end this one put, not the process.
  body.on('error', () => {})
  return passOn(body, tally)
}

export function discard(body: Readable | Buffer): void {
  if (!Buffer.isBuffer(body)) body.destroy()
}

async function* passOn(chunks: AsyncIterable<Buffer | string> | Buffer[], tally: Tally): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of chunks) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      tally.hash.update(bytes)
      tally.size += bytes.length
      yield bytes
    }
  } catch (error) {
    tally.bodyError = error
    throw error
  }
}
