import { hash } from 'node:crypto'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack as createPack, type Pack } from 'tar-stream'
import { listForeignKeys } from '#modules/identity'
import type { SnapshotTx } from '#platform/db'
import { listExportColumns, listSealedColumns, type Tables } from '#platform/module'
import type { SecretBox } from '#platform/secrets'
import type { BlobStore, StoredBlob } from '#platform/storage'
import { archiveFormat, type Manifest, manifestName } from '../archives/archive-manifest.ts'
import { sealValues } from '../archives/sealed-values.ts'
import { orderByReferences, type Reference } from '../archives/table-order.rules.ts'
import { type ExportedColumns, findSchemaVersion, streamTableRows } from './export-rows.queries.ts'

const partBytes = 2 * 1024 * 1024

/** `open` returns undefined if the file was deleted since the snapshot. */
export type ArchivedFile = {
  id: string
  size: number
  sha256: string
  open(): Promise<NodeJS.ReadableStream | undefined>
}

export type ArchiveSource = {
  tenantId: string
  tables: Tables
  secrets: SecretBox
  workspace: Manifest['workspace']
  now: Date
  /** Reads one state of the database in all tables. It ends before the files are written, which may take hours. */
  inSnapshot<T>(work: (tx: SnapshotTx) => Promise<T>): Promise<T>
  /** Files to include. */
  listFiles?(tx: SnapshotTx): Promise<ArchivedFile[]>
  onRows?(count: number): void
}

/** Writes a `tar.gz` with one JSON line per row straight to the file store. Memory does not depend on the number of rows. */
export async function writeArchive(storage: BlobStore, key: string, source: ArchiveSource) {
  const pack = createPack()
  const gzip = createGzip()
  const compressed = pipeline(pack as AsyncIterable<Buffer>, gzip)
  const stored = storage.put(key, gzip, { contentType: 'application/gzip', isLarge: true })
  const written = writeEntries(pack, source).catch((error) => {
    pack.destroy(error)
    throw error
  })
  const outcomes = await Promise.allSettled([written, compressed, stored])
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return {
    manifest: (outcomes[0] as PromiseFulfilledResult<Manifest>).value,
    blob: (outcomes[2] as PromiseFulfilledResult<StoredBlob>).value,
  }
}

async function writeEntries(pack: Pack, source: ArchiveSource): Promise<Manifest> {
  const { manifest, files } = await source.inSnapshot(async (tx) => ({
    manifest: await writeTables(tx, pack, source),
    files: (await source.listFiles?.(tx)) ?? [],
  }))
  for (const { open, ...file } of files) {
    const content = await open()
    if (!content) continue
    await pipeline(content, pack.entry({ name: `files/${file.id}`, size: file.size, mtime: source.now }))
    manifest.files.push(file)
  }
  await writeEntry(pack, manifestName, JSON.stringify(manifest))
  pack.finalize()
  return manifest
}

async function writeTables(tx: SnapshotTx, pack: Pack, source: ArchiveSource): Promise<Manifest> {
  const { tables } = source
  const columnsOf = await listExportColumns(tx, tables)
  const sealedOf = await listSealedColumns(tx, tables)
  const names = orderByReferences([...columnsOf.keys()], await listForeignKeys(tx), listRequiredOrder(tables))
  const manifest: Manifest = {
    format: archiveFormat,
    schema_version: await findSchemaVersion(tx),
    workspace: source.workspace,
    created_at: source.now.toISOString(),
    tables: [],
    files: [],
  }
  for (const name of names) {
    const columns = columnsOf.get(name)!.filter((column) => column !== 'tenant_id')
    const exported = { columns, urls: listUrlColumns(tables, name), sealed: sealedOf.get(name) ?? [] }
    const written = await writeTable(tx, pack, { name, exported }, source)
    manifest.tables.push({ name, columns, ...(exported.sealed.length && { sealed: [...exported.sealed] }), ...written })
  }
  return manifest
}

const listRequiredOrder = (tables: Tables): Reference[] =>
  Object.entries(tables).flatMap(([from, { import_after = [] }]) => import_after.map((to) => ({ from, to })))

function listUrlColumns(tables: Tables, name: string): readonly string[] {
  const rule = tables[name as keyof Tables]?.export
  return typeof rule === 'object' ? (rule.urls ?? []) : []
}

async function writeTable(
  tx: SnapshotTx,
  pack: Pack,
  { name, exported }: { name: string; exported: ExportedColumns },
  { secrets, tenantId, onRows }: ArchiveSource,
) {
  const parts: Manifest['tables'][number]['parts'] = []
  let [lines, bytes, rows]: [string[], number, number] = [[], 0, 0]
  const flush = async () => {
    const part = `data/${name}/${String(parts.length + 1).padStart(6, '0')}.ndjson`
    const content = `${lines.join('\n')}\n`
    await writeEntry(pack, part, content)
    parts.push({ name: part, rows: lines.length, sha256: hash('sha256', content) })
    rows += lines.length
    onRows?.(lines.length)
    ;[lines, bytes] = [[], 0]
  }
  const sealing = { secrets, tenantId, table: name }
  for await (const batch of streamTableRows(tx, name, exported))
    for (const row of batch) {
      const line = row.sealed === null ? row.line : sealValues(sealing, row.line, row.sealed)
      lines.push(line)
      bytes += line.length
      if (bytes >= partBytes) await flush()
    }
  if (lines.length) await flush()
  return { rows, parts }
}

async function writeEntry(pack: Pack, name: string, content: string): Promise<void> {
  const bytes = Buffer.from(content)
  const entry = pack.entry({ name, size: bytes.length })
  const finished = once(entry, 'finish')
  entry.end(bytes)
  await finished
}
