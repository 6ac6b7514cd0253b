import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { SecretBox, SecretLocation } from '#platform/secrets'
import type { Manifest } from './archive-manifest.ts'
import { ArchiveError, type Entry, readEntries, readPart } from './read-archive.ts'

export type SealedManifest = NonNullable<Manifest['sealed']>
export type SealedWriter = {
  write(name: string, size: number, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void>
  end(): Promise<SealedManifest>
}

const folder = 'sealed/'
const smallestBytes = 64 * 1024
const largestBytes = 8 * 1024 * 1024
const newLine = 10

type Sealing = { secrets: SecretBox; tenantId: string; createdAt: string }

const locationOf = (tenantId: string, createdAt: string, name: string): SecretLocation => ({
  tenantId,
  table: 'archive',
  column: name,
  row: createdAt,
})

/**
 * Writes the sealed part of an archive: one stream of named contents, in encrypted entries of growing size. The last one is
 * filled with zeros, so that neither the number of entries nor their size tells how much is sealed.
 */
export function createSealedWriter(
  { secrets, tenantId, createdAt }: Sealing,
  writeEntry: (name: string, content: Buffer) => Promise<void>,
): SealedWriter {
  const { kid, ciphertext: keyCheck } = secrets.seal('', locationOf(tenantId, createdAt, folder))
  const parts: SealedManifest['parts'] = []
  let plain = Buffer.alloc(smallestBytes)
  let used = 0

  async function append(bytes: Buffer): Promise<void> {
    for (let offset = 0; offset < bytes.length; ) {
      const copied = bytes.copy(plain, used, offset)
      used += copied
      offset += copied
      if (used === plain.length) await flush()
    }
  }

  async function flush(): Promise<void> {
    const name = `${folder}${String(parts.length + 1).padStart(6, '0')}`
    const { ciphertext } = secrets.seal(plain, locationOf(tenantId, createdAt, name))
    await writeEntry(name, ciphertext)
    parts.push({ name, sha256: hash('sha256', ciphertext) })
    plain = Buffer.alloc(Math.min(plain.length * 2, largestBytes))
    used = 0
  }

  return {
    async write(name, size, content) {
      await append(Buffer.from(`${JSON.stringify({ name, size })}\n`))
      let written = 0
      for await (const chunk of content) {
        written += chunk.length
        await append(chunk)
      }
      if (written !== size) throw new Error(`The content of ${name} has ${written} bytes instead of ${size}.`)
    },
    async end() {
      if (used || !parts.length) await flush()
      return { workspace_id: tenantId, kid, key_check: keyCheck.toString('base64'), parts }
    },
  }
}

type SealedSource = { open(): Promise<Readable>; manifest: Manifest; secrets?: SecretBox }
export type SealedReader = () => AsyncGenerator<Entry>

export function findSealedReader({ open, manifest, secrets }: SealedSource): SealedReader | undefined {
  const { sealed, created_at: createdAt } = manifest
  if (!sealed || !secrets) return undefined
  const openEntry = (name: string, ciphertext: Buffer) =>
    secrets.openBytes({ kid: sealed.kid, ciphertext }, locationOf(sealed.workspace_id, createdAt, name))
  try {
    openEntry(folder, Buffer.from(sealed.key_check, 'base64'))
  } catch {
    return undefined
  }
  return async function* readSealed() {
    const parts = openParts(await open(), openEntry)
    try {
      yield* readContents(parts)
    } finally {
      // The archive may have large files after the sealed part.
      await parts.return(undefined)
    }
  }
}

async function* openParts(
  archive: Readable,
  openEntry: (name: string, ciphertext: Buffer) => Buffer,
): AsyncGenerator<Buffer> {
  for await (const { name, content } of readEntries(archive))
    if (name.startsWith(folder)) yield openEntry(name, await readPart(content))
}

/** Each content follows a line with its name and size; zeros end the last one. */
async function* readContents(parts: AsyncGenerator<Buffer>): AsyncGenerator<Entry> {
  let rest: Buffer = Buffer.alloc(0)
  let left = 0
  const fill = async (): Promise<boolean> => {
    const next = await parts.next()
    if (!next.done) rest = rest.length ? Buffer.concat([rest, next.value]) : next.value
    return !next.done
  }
  async function take(): Promise<Buffer> {
    if (!rest.length && !(await fill())) throw new ArchiveError('The sealed part of the archive is not complete.')
    const chunk = rest.subarray(0, left)
    rest = rest.subarray(chunk.length)
    left -= chunk.length
    return chunk
  }
  async function* readContent() {
    while (left) yield await take()
  }
  for (;;) {
    while (rest[0] !== 0 && !rest.includes(newLine)) if (!(await fill())) return
    if (rest[0] === 0) return
    const header = rest.subarray(0, rest.indexOf(newLine))
    rest = rest.subarray(header.length + 1)
    const { name, size }: { name: string; size: number } = JSON.parse(header.toString())
    left = size
    yield { name, size, content: readContent() }
    while (left) await take()
  }
}
