import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

export type ReadBytes = (start: number, end: number) => Promise<Buffer>
export type ArchiveEntry = { name: string; method: number; size: number; compressedSize: number; offset: number }

const limits = {
  entries: 10_000,
  directoryBytes: 4 * 1_048_576,
  nameBytes: 512,
  totalBytes: 1_073_741_824,
  /** Only for entries above 10 MiB, because small repetitive ones compress very well. */
  ratio: 300,
}
const endBytes = 22
const entryBytes = 46
const localBytes = 30

/** Means that the archive is damaged, encrypted, too large when unpacked, or uses features that Office files do not need. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

/** Reads the central directory without unpacking anything and rejects whatever readers could understand differently. */
export async function readArchiveDirectory(read: ReadBytes, size: number): Promise<ArchiveEntry[]> {
  if (size < endBytes) throw new ArchiveError('The archive has no end record.')
  const end = await read(size - endBytes, size - 1)
  const [disk, directoryDisk, diskEntries, entries] = [4, 6, 8, 10].map((at) => end.readUInt16LE(at))
  const [directorySize, start] = [end.readUInt32LE(12), end.readUInt32LE(16)]
  if (end.readUInt32LE(0) !== 0x06_05_4b_50 || end.readUInt16LE(20) !== 0)
    throw new ArchiveError('The archive must end with its directory.')
  if (disk !== 0 || directoryDisk !== 0 || diskEntries !== entries || start + directorySize !== size - endBytes)
    throw new ArchiveError('The archive must consist of one part without gaps.')
  if (!entries || entries > limits.entries || directorySize > limits.directoryBytes)
    throw new ArchiveError('The archive has no or too many entries.')
  const directory = await read(start, start + directorySize - 1)
  const parsed = parseEntries(directory, entries)
  assertSafe(parsed, start)
  return parsed
}

function parseEntries(directory: Buffer, count: number): ArchiveEntry[] {
  const entries: ArchiveEntry[] = []
  let at = 0
  while (at + entryBytes <= directory.length && directory.readUInt32LE(at) === 0x02_01_4b_50) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      directory.readUInt16LE(at + field),
    ) as [number, number, number]
    const mode = directory.readUInt16LE(at + 40)
    if (directory.readUInt16LE(at + 8) & 1) throw new ArchiveError('An entry is encrypted.')
    if ((mode & 0xf0_00) === 0xa0_00) throw new ArchiveError('An entry is a symbolic link.')
    entries.push({
      name: decodeName(directory.subarray(at + entryBytes, at + entryBytes + nameLength)),
      method: directory.readUInt16LE(at + 10),
      compressedSize: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    })
    at += entryBytes + nameLength + extraLength + commentLength
  }
  if (at !== directory.length || entries.length !== count) throw new ArchiveError('The directory is damaged.')
  return entries
}

function decodeName(bytes: Buffer): string {
  const name = bytes.toString('utf8')
  const isPath = name
    .split('/')
    .every((segment, index, all) => isSegment(segment) || (!segment && index === all.length - 1))
  if (!bytes.length || bytes.length > limits.nameBytes || !isPath || !Buffer.from(name).equals(bytes))
    throw new ArchiveError('An entry has an unsafe name.')
  return name
}

const isSegment = (segment: string) => !/^(\.{1,2})?$|[\\:\p{Cc}\p{Cf}]/u.test(segment)

function assertSafe(entries: ArchiveEntry[], directoryStart: number): void {
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  if (names.size !== entries.length) throw new ArchiveError('Two entries have the same name.')
  let [position, total] = [0, 0]
  for (const { name, method, size, compressedSize, offset } of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (method !== 0 && method !== 8) throw new ArchiveError('An entry is compressed with an unknown method.')
    if (method === 0 && size !== compressedSize) throw new ArchiveError('An entry has two different sizes.')
    if (offset < position) throw new ArchiveError('Entries overlap.')
    if (size > 10 * 1_048_576 && size > compressedSize * limits.ratio)
      throw new ArchiveError('An entry is too large when unpacked.')
    position = offset + localBytes + Buffer.byteLength(name) + compressedSize
    total += size
  }
  if (position > directoryStart || total > limits.totalBytes)
    throw new ArchiveError('The archive is too large when unpacked.')
}

export async function locateEntry(read: ReadBytes, entry: ArchiveEntry): Promise<number> {
  const nameBytes = Buffer.from(entry.name)
  const header = await read(entry.offset, entry.offset + localBytes + nameBytes.length - 1)
  const isSame =
    header.length === localBytes + nameBytes.length &&
    header.readUInt32LE(0) === 0x04_03_4b_50 &&
    header.readUInt16LE(8) === entry.method &&
    header.readUInt16LE(26) === nameBytes.length &&
    header.subarray(localBytes).equals(nameBytes)
  if (!isSame) throw new ArchiveError('An entry differs from the directory.')
  return entry.offset + localBytes + nameBytes.length + header.readUInt16LE(28)
}

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
