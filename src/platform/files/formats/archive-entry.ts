import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { type ArchiveEntry, ArchiveError, locateEntry, type ReadBytes } from './archive-directory.ts'

const inflate = promisify(inflateRaw)

/** Reads an entry as UTF-8. An entry that is larger than its directory says, or than `maxBytes`, is an error. */
export async function readEntryText(read: ReadBytes, entry: ArchiveEntry, maxBytes: number): Promise<string> {
  if (entry.size > maxBytes || entry.compressedSize > maxBytes || !entry.compressedSize)
    throw new ArchiveError('An entry has an unexpected size.')
  const start = await locateEntry(read, entry)
  const content = await read(start, start + entry.compressedSize - 1)
  try {
    const text = entry.method === 0 ? content : await inflate(content, { maxOutputLength: Math.max(1, entry.size) })
    return new TextDecoder('utf-8', { fatal: true }).decode(text)
  } catch {
    throw new ArchiveError('An entry is damaged.')
  }
}
