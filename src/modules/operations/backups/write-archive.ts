import { hash } from 'node:crypto'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack as createPack, type Pack } from 'tar-stream'
import { listForeignKeys } from '#modules/identity'
import type { SnapshotTx } from '#platform/db'
import {
  listExportColumns,
  listSealedColumns,
  listSealedConditions,
  type RowCondition,
  type Tables,
} from '#platform/module'
import type { SecretBox } from '#platform/secrets'
import type { BlobStore, StoredBlob } from '#platform/storage'
import { archiveFormat, type Manifest, manifestName } from '../archives/archive-manifest.ts'
import { createSealedWriter, type SealedWriter } from '../archives/sealed-entries.ts'
import { sealValues } from '../archives/sealed-values.ts'
import { orderByReferences, type Reference } from '../archives/table-order.rules.ts'
import { type ExportedColumns, findSchemaVersion, streamReadableRows, streamSealedRows } from './export-rows.queries.ts'

const partBytes = 2 * 1024 * 1024

/** `open` returns undefined if the file was deleted since the snapshot. */
export type ArchivedFile = {
  id: string
  size: number
  sha256: string
  isSealed: boolean
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

/** Sealed entries follow each other, because their place among readable ones would tell about their content. */
async function writeEntries(pack: Pack, source: ArchiveSource): Promise<Manifest> {
  const { secrets, tenantId, now } = source
  const sealed = createSealedWriter({ secrets, tenantId, createdAt: now.toISOString() }, (name, content) =>
    writeEntry(pack, name, content),
  )
  const { manifest, files } = await source.inSnapshot(async (tx) => ({
    manifest: await writeTables(tx, { pack, sealed }, source),
    files: (await source.listFiles?.(tx)) ?? [],
  }))
  for (const { id, size, open } of files.filter(({ isSealed }) => isSealed)) {
    const content = await open()
    if (content) await sealed.write(`files/${id}`, size, content as AsyncIterable<Buffer>)
  }
  manifest.sealed = await sealed.end()
  for (const { id, size, sha256, open } of files.filter(({ isSealed }) => !isSealed)) {
    const content = await open()
    if (!content) continue
    await pipeline(content, pack.entry({ name: `files/${id}`, size, mtime: now }))
    manifest.files.push({ id, size, sha256 })
  }
  await writeEntry(pack, manifestName, Buffer.from(JSON.stringify(manifest)))
  pack.finalize()
  return manifest
}

type Target = { pack: Pack; sealed: SealedWriter }

async function writeTables(tx: SnapshotTx, target: Target, source: ArchiveSource): Promise<Manifest> {
  const { tables } = source
  const columnsOf = await listExportColumns(tx, tables)
  const sealedOf = listSealedColumns(tables)
  const sealedRowsOf = listSealedConditions(tables)
  const names = orderByReferences([...columnsOf.keys()], await listForeignKeys(tx), listRequiredOrder(tables))
  const manifest: Manifest = {
    format: archiveFormat,
    schema_version: await findSchemaVersion(tx),
    workspace: source.workspace,
    created_at: source.now.toISOString(),
    tables: [],
    files: [],
  }
  const exportedTables = names.map((name): ExportedTable => {
    const columns = columnsOf.get(name)!.filter((column) => column !== 'tenant_id')
    const exported = { columns, urls: listUrlColumns(tables, name), sealed: sealedOf.get(name) ?? [] }
    return { name, exported, isSealed: sealedRowsOf.get(name) }
  })
  for (const table of exportedTables) {
    const { columns, sealed } = table.exported
    const written = await writeReadableRows(tx, target, table, source)
    manifest.tables.push({ name: table.name, columns, ...(sealed.length && { sealed }), ...written })
  }
  for (const { name, exported, isSealed } of exportedTables)
    if (isSealed) await writeSealedRows(tx, target, { name, exported, isSealed })
  return manifest
}

const listRequiredOrder = (tables: Tables): Reference[] =>
  Object.entries(tables).flatMap(([from, { import_after = [] }]) => import_after.map((to) => ({ from, to })))

function listUrlColumns(tables: Tables, name: string): readonly string[] {
  const rule = tables[name as keyof Tables]?.export
  return typeof rule === 'object' ? (rule.urls ?? []) : []
}

type ExportedTable = { name: string; exported: ExportedColumns; isSealed: RowCondition | undefined }

async function writeReadableRows(
  tx: SnapshotTx,
  { pack }: Target,
  { name, exported, isSealed }: ExportedTable,
  { secrets, tenantId, onRows }: ArchiveSource,
) {
  const parts: Manifest['tables'][number]['parts'] = []
  const sealing = { secrets, tenantId, table: name }
  async function* listLines() {
    for await (const batch of streamReadableRows(tx, name, exported, isSealed))
      for (const { line, sealed } of batch) yield sealed === null ? line : sealValues(sealing, line, sealed)
  }
  for await (const { content, rows } of groupLines(listLines())) {
    const part = partName(name, parts.length)
    await writeEntry(pack, part, content)
    parts.push({ name: part, rows, sha256: hash('sha256', content) })
    onRows?.(rows)
  }
  return { rows: parts.reduce((total, { rows }) => total + rows, 0), parts }
}

async function writeSealedRows(
  tx: SnapshotTx,
  { sealed }: Target,
  { name, exported, isSealed }: ExportedTable & { isSealed: RowCondition },
): Promise<void> {
  async function* listLines() {
    for await (const batch of streamSealedRows(tx, name, exported, isSealed)) for (const { line } of batch) yield line
  }
  let parts = 0
  for await (const { content } of groupLines(listLines()))
    await sealed.write(partName(name, parts++), content.length, [content])
}

const partName = (table: string, index: number): string => `data/${table}/${String(index + 1).padStart(6, '0')}.ndjson`

async function* groupLines(all: AsyncIterable<string>): AsyncGenerator<{ content: Buffer; rows: number }> {
  let [lines, bytes]: [string[], number] = [[], 0]
  const group = () => ({ content: Buffer.from(`${lines.join('\n')}\n`), rows: lines.length })
  for await (const line of all) {
    lines.push(line)
    bytes += line.length
    if (bytes < partBytes) continue
    yield group()
    ;[lines, bytes] = [[], 0]
  }
  if (lines.length) yield group()
}

async function writeEntry(pack: Pack, name: string, content: Buffer): Promise<void> {
  const entry = pack.entry({ name, size: content.length })
  const finished = once(entry, 'finish')
  entry.end(content)
  await finished
}
