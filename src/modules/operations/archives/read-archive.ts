import { createHash } from 'node:crypto'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { Value } from 'typebox/value'
import { Manifest, manifestName } from './archive-manifest.ts'

export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

export type Entry = { name: string; size: number; content: AsyncIterable<Buffer> }

/** Yields the entries in their order. The content of an entry must be read before the next one, or is skipped. */
export async function* readEntries(content: Readable): AsyncGenerator<Entry> {
  const entries = extract()
  const unpacked = pipeline(content, createGunzip(), entries)
  unpacked.catch(() => {})
  for await (const entry of entries) {
    yield { name: entry.header.name, size: entry.header.size ?? 0, content: entry }
    entry.resume()
  }
  await unpacked
}

type EntryDigest = { rows: number; sha256: string }
const maxManifestBytes = 64 * 1024 * 1024
/** Parts with rows are read as a whole. A backup writes them with 2 MiB and the rest of the last row. */
const maxPartBytes = 64 * 1024 * 1024

export async function readPart(content: AsyncIterable<Buffer>, maxBytes = maxPartBytes): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > maxBytes) throw new ArchiveError('An entry of the archive is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export const readLines = async (content: AsyncIterable<Buffer>): Promise<string[]> =>
  (await readPart(content)).toString().trimEnd().split('\n')

export const tableOfPart = (name: string): string | undefined => /^data\/([^/]+)\//.exec(name)?.[1]

/** Reads a whole archive and compares the number of rows and the hash of every entry with its manifest. */
export async function verifyArchive(content: Readable): Promise<{ manifest: Manifest; sha256: Buffer }> {
  const archive = createHash('sha256')
  const hashed = new PassThrough()
  hashed.on('data', (chunk: Buffer) => archive.update(chunk))
  const entries = extract()
  const unpacked = pipeline(content, hashed, createGunzip(), entries)
  unpacked.catch(() => {})
  const found = new Map<string, EntryDigest>()
  let manifest: Manifest | undefined
  try {
    for await (const entry of entries) {
      const { name } = entry.header
      if (name === manifestName) manifest = await readManifest(entry)
      else found.set(name, await digestEntry(entry, name.startsWith('files/') ? undefined : maxPartBytes))
    }
    await unpacked
  } catch (error) {
    throw error instanceof ArchiveError ? error : new ArchiveError('The archive is damaged.', { cause: error })
  }
  if (!manifest) throw new ArchiveError('The archive has no manifest.')
  assertComplete(manifest, found)
  return { manifest, sha256: archive.digest() }
}

async function readManifest(entry: AsyncIterable<Buffer>): Promise<Manifest> {
  const manifest: unknown = JSON.parse((await readPart(entry, maxManifestBytes)).toString())
  if (!Value.Check(Manifest, manifest)) throw new ArchiveError('The manifest is not valid.')
  return manifest
}

async function digestEntry(entry: AsyncIterable<Buffer>, maxBytes = Number.POSITIVE_INFINITY): Promise<EntryDigest> {
  const digest = createHash('sha256')
  let [rows, size] = [0, 0]
  for await (const chunk of entry) {
    digest.update(chunk)
    size += chunk.length
    if (size > maxBytes) throw new ArchiveError('An entry of the archive is too large.')
    for (const byte of chunk) if (byte === 10) rows++
  }
  return { rows, sha256: digest.digest('hex') }
}

function assertComplete({ tables, files, sealed }: Manifest, found: Map<string, EntryDigest>): void {
  for (const { name, rows, sha256 } of tables.flatMap(({ parts }) => parts)) {
    const entry = found.get(name)
    if (entry?.sha256 !== sha256 || entry.rows !== rows) throw new ArchiveError(`The entry ${name} is damaged.`)
  }
  for (const { name, sha256 } of sealed?.parts ?? [])
    if (found.get(name)?.sha256 !== sha256) throw new ArchiveError(`The entry ${name} is damaged.`)
  for (const { id, sha256 } of files)
    if (found.get(`files/${id}`)?.sha256 !== sha256) throw new ArchiveError(`The file ${id} is damaged.`)
  for (const { name, rows, parts } of tables)
    if (parts.reduce((total, part) => total + part.rows, 0) !== rows)
      throw new ArchiveError(`Rows of ${name} are missing.`)
}
