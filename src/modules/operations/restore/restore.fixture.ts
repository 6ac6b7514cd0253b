import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack as createPack } from 'tar-stream'
import { inSystem, type SystemTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { SecretBox } from '#platform/secrets'
import { storageKey } from '#platform/storage'
import { type startTestApp, waitForTask } from '#testing'
import { type Manifest, manifestName } from '../archives/archive-manifest.ts'
import { readEntries, readPart, tableOfPart, verifyArchive } from '../archives/read-archive.ts'
import { findSealedReader } from '../archives/sealed-entries.ts'
import { sealValues } from '../archives/sealed-values.ts'
import { readArchivedRows } from '../backups/archive-rows.fixture.ts'
import { importArchive } from '../backups/import-archive.flow.ts'
import { clean } from '../clean-data/clean-data.fixture.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>
type Acme = Awaited<ReturnType<TestApp['tenant']>>

export const restoreUrl = (backupId: string) => `/api/admin/backups/${backupId}/restore`
export const inputFor = ({ slug }: Acme, changes = {}) => ({ confirm: slug, reason: 'Deleted by mistake', ...changes })

export function createRestoreActions({ owner, services, systemDb, clock, config }: TestApp) {
  const { storage, registry, secrets } = services
  const readArchive = async ({ id }: Acme, backupId: string) =>
    buffer((await storage.get(storageKey(id, 'backups', backupId))).stream)

  async function cleanWorkspace(acme: Acme, changes = {}): Promise<string> {
    const { body } = await clean(acme, changes)
    const ended = await waitForTask(acme, body)
    assert.equal(ended.state, 'succeeded', JSON.stringify(ended.error))
    return body.backup_id
  }

  /** Expects the rows of the archive in all tables that a cleaning empties. */
  async function assertRestored(acme: Acme, backupId: string) {
    const archive = await readArchive(acme, backupId)
    const { manifest } = await verifyArchive(Readable.from([archive]))
    const archived = await readArchivedRows(archive)
    for (const { name, columns, rows } of manifest.tables) {
      if (registry.tables[name as keyof typeof registry.tables]?.clean === 'never' || !columns.length) continue
      const { rows: current } = await owner.query(
        `select to_json(found)::text as line from (
           select ${columns.map((column) => `"${column}"`)} from ${name} where tenant_id = $1) as found`,
        [acme.id],
      )
      const pick = (line: string) => {
        const row = JSON.parse(line)
        return JSON.stringify(columns.map((column) => row[column]))
      }
      assert.equal(current.length, rows, name)
      assert.deepEqual(current.map(({ line }) => pick(line)).sort(), (archived.get(name) ?? []).map(pick).sort(), name)
    }
    for (const { id, sha256 } of manifest.files)
      assert.equal(hash('sha256', await buffer((await storage.get(storageKey(acme.id, 'files', id))).stream)), sha256)
    return manifest
  }

  async function backUp(acme: Acme, input: object) {
    const { body } = await acme.admin.post('/api/admin/backups', input)
    await waitForTask(acme, body)
    const archive = await readArchive(acme, body.backup_id)
    const { items } = (await acme.admin.get('/api/admin/backup-status')).body
    const counts = items.find(({ id }: { id: string }) => id === body.backup_id).row_counts
    return { id: body.backup_id as string, archive, counts }
  }

  /** Returns the archive that the previous version would have written: with readable instead of sealed rows and files. */
  async function toEarlierArchive(archive: Buffer): Promise<Buffer> {
    const open = async () => Readable.from([archive])
    const { sealed, ...manifest } = (await verifyArchive(await open())).manifest
    const pack = createPack()
    for await (const { name, content } of readEntries(await open()))
      if (name !== manifestName && !name.startsWith('sealed/')) pack.entry({ name }, await readPart(content))
    for await (const { name, content } of findSealedReader({ open, manifest: { ...manifest, sealed }, secrets })!()) {
      const table = manifest.tables.find((candidate) => candidate.name === tableOfPart(name))
      const bytes = await readPart(content)
      if (!table) manifest.files.push({ id: name.slice(6), size: bytes.length, sha256: hash('sha256', bytes) })
      const part = table ? addPart(table, bytes.toString(), sealed!.workspace_id) : { name, content: bytes }
      pack.entry({ name: part.name }, part.content)
    }
    pack.entry({ name: manifestName }, JSON.stringify(manifest))
    pack.finalize()
    return await buffer(pack.pipe(createGzip()))
  }

  /** Adds rows to the manifest: readable ones, or each with its sealed values if the table has no readable columns. */
  function addPart(table: Manifest['tables'][number], rows: string, tenantId: string) {
    const name = `data/${table.name}/${String(table.parts.length + 1).padStart(6, '0')}.ndjson`
    const sealing = { secrets, tenantId, table: table.name }
    const lines = rows.trimEnd().split('\n')
    const written = table.columns.length ? lines : lines.map((line) => sealValues(sealing, '{}', line))
    const content = `${written.join('\n')}\n`
    table.parts.push({ name, rows: lines.length, sha256: hash('sha256', content) })
    table.rows += lines.length
    return { name, content }
  }

  /** Imports an archive into a new workspace, and counts the sealed rows and the stored files that have come with it. */
  async function importCopy(archive: Buffer, keys: SecretBox) {
    const context = {
      inSystem: <T>(work: (tx: SystemTx) => Promise<T>) => inSystem(systemDb, work),
      storage,
      tables: registry.tables,
      secrets: keys,
      now: clock.now(),
    }
    const target = { slug: `copy-${newId().slice(-8)}`, context: { config, now: clock.now() } }
    const imported = await importArchive(context, { open: async () => Readable.from([archive]), target })
    const { rows } = await owner.query(
      `select (select count(*)::int from enablement.coaching_sessions where tenant_id = $1) as sessions,
         (select count(*)::int from platform.files where tenant_id = $1 and missing_at is null) as files`,
      [imported.tenant_id],
    )
    return { isComplete: imported.has_sealed_rows, ...rows[0] }
  }

  const restore = (acme: Acme, backupId: string) => acme.admin.post(restoreUrl(backupId), inputFor(acme))
  return { cleanWorkspace, restore, backUp, assertRestored, toEarlierArchive, importCopy }
}
