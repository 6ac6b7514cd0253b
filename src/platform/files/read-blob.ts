import { buffer } from 'node:stream/consumers'
import type { BlobStore, ByteRange } from '#platform/storage'

export async function readBlob(storage: BlobStore, key: string, range: ByteRange): Promise<Buffer> {
  const { stream } = await storage.get(key, range)
  return buffer(stream)
}
