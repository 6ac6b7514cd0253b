import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { createGzip } from 'node:zlib'
import { pack as createPack } from 'tar-stream'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { timeLimitMsOf } from '#platform/jobs'
import { buildRegistry, listExportColumns, listSealedColumns } from '#platform/module'
import { createSecretBox, generateKeyEntry, SecretDecryptionError } from '#platform/secrets'
import { startTestDb } from '#testing'
import { modules } from '../../../modules.ts'
import { type ArchiveChange, archiveChanges } from '../archives/archive-changes.ts'
import type { Manifest } from '../archives/archive-manifest.ts'
import { planTable } from '../archives/convert-archive.rules.ts'
import { ArchiveError, readPart, verifyArchive } from '../archives/read-archive.ts'
import { createSealedWriter, findSealedReader } from '../archives/sealed-entries.ts'
import archiveColumns from './archive-columns.json' with { type: 'json' }
import { listTableColumns } from './import-rows.queries.ts'

const { db } = await startTestDb()
const { tables } = buildRegistry(modules)
/** The columns with which a table first was in an archive, then those that were added later. */
type ArchiveColumns = Record<string, string[]>
const archived: ArchiveColumns = archiveColumns
const { exported, current } = await inTenant(db, systemActor(newId()), async (tx) => {
  const columns = await listExportColumns(tx, tables)
  for (const [name, sealed] of listSealedColumns(tables)) columns.get(name)!.push(...sealed)
  return { exported: columns, current: await listTableColumns(tx, [...columns.keys()]) }
})
const wordsOf = (text = '') => text.split(' ').filter(Boolean)

/** Archives of this version and of every earlier one: with the first columns of each table, and with all of them. */
function findProblems(columnsOf: ArchiveColumns, changes: readonly ArchiveChange[] = archiveChanges): string[] {
  return Object.entries(columnsOf).flatMap(([name, [first, ...later]]) => {
    const { all = [], required = [], hashes = [] } = current.get(name) ?? {}
    const columns = exported.get(name)
    const target = columns && {
      all,
      exported: columns,
      required: required.filter((column) => !hashes.includes(column)),
    }
    return [wordsOf(first), [first, ...later].flatMap(wordsOf)].flatMap((archivedColumns) => {
      const conversion = planTable({ name, columns: archivedColumns, schemaVersion: '9999' }, target, changes)
      return 'problem' in conversion ? [conversion.problem] : []
    })
  })
}

test('archives of earlier versions can be imported: removed, renamed and required columns have an archive change', () => {
  assert.deepEqual(findProblems(archived), [])
})

test('archive-columns.json lists every exported column', () => {
  const missing = [...exported].flatMap(([name, columns]) => {
    const known = new Set(archived[name]?.flatMap(wordsOf))
    const added = columns.filter((column) => column !== 'tenant_id' && !known.has(column))
    return added.length ? [`${name}: add "${added.join(' ')}" as the last text`] : []
  })

  assert.deepEqual(missing, [])
})

test('a removed column, a removed table and a column that became required are noticed', () => {
  const leads = archived['crm.leads']!
  const withFormer = { ...archived, 'crm.leads': [`${leads[0]} fax`, ...leads.slice(1)] }
  const withoutName = { 'crm.pipelines': [archived['crm.pipelines']![0]!.replace(' name ', ' ')] }

  assert.match(findProblems(withFormer).join(), /column fax of crm\.leads/)
  assert.match(findProblems({ 'crm.faxes': ['id'] }).join(), /table crm\.faxes/)
  assert.match(findProblems(withoutName).join(), /required column name of crm\.pipelines/)
  const withoutFax: ArchiveChange = { table: 'crm.leads', removedColumn: 'fax' }
  assert.deepEqual(findProblems(withFormer, [...archiveChanges, withoutFax]), [])
  assert.deepEqual(findProblems({ 'crm.faxes': ['id'] }, [{ removedTable: 'crm.faxes' }]), [])
  const value = () => 'Sales'
  assert.deepEqual(findProblems(withoutName, [{ table: 'crm.pipelines', addedColumn: 'name', value }]), [])
})

test('rows are converted without a change of other values', () => {
  const changes: ArchiveChange[] = [
    { table: 'a.b', renamedColumn: 'sum', to: 'total' },
    { table: 'a.b', removedColumn: 'fax' },
    { table: 'a.b', addedColumn: 'kind', value: ({ is_big }) => (is_big ? 'big' : 'small') },
  ]
  const target = {
    all: ['id', 'total', 'kind', 'is_big', 'html'],
    exported: ['id', 'total', 'kind', 'is_big'],
    required: ['kind'],
  }

  const archivedTable = { name: 'a.b', columns: ['id', 'sum', 'fax', 'is_big', 'html'], schemaVersion: '0100_a' }
  const conversion = planTable(archivedTable, target, changes)

  assert.ok('plan' in conversion)
  assert.deepEqual(conversion.plan.columns, ['id', 'total', 'is_big', 'kind'])
  const line = conversion.plan.convert!('{"id":"1","sum":12345678901234567890.10,"is_big":true}')
  assert.match(line, /"total":12345678901234567890\.10[,}]/)
  assert.match(line, /"kind":"big"/)
})

test('values that a migration changed are changed in archives of a schema before it only', () => {
  const change: ArchiveChange = {
    table: 'a.b',
    changedColumn: 'seconds',
    migration: '0365_seconds',
    value: ({ seconds }) => (JSON.stringify(seconds) === '0' ? null : seconds),
  }
  const target = { all: ['id', 'seconds'], exported: ['id', 'seconds'], required: [] }
  const convert = (schemaVersion: string, line: string) => {
    const conversion = planTable({ name: 'a.b', columns: ['id', 'seconds'], schemaVersion }, target, [change])
    assert.ok('plan' in conversion)
    return conversion.plan.convert?.(line) ?? line
  }

  assert.equal(convert('0364_other', '{"id":"1","seconds":0}'), '{"id":"1","seconds":null}')
  assert.equal(convert('0364_other', '{"id":"1","seconds":7}'), '{"id":"1","seconds":7}')
  assert.equal(convert('0365_seconds', '{"id":"1","seconds":0}'), '{"id":"1","seconds":0}')
})

/** Migrations whose changes of values an import need not repeat, or repeats itself, as `resetAnonymousSurveys` does. */
const derivedOnly = [
  '0451_plg_qualification_leads.sql plg.qualification_leads',
  ...['answers', 'answer_stats', 'counters', 'responses', 'score_stats'].map(
    (table) => `0430_surveys_anonymity.sql surveys.${table}`,
  ),
]

test('a migration that changes values of an exported table has an archive change', () => {
  const folder = join(import.meta.dirname, '../../../../migrations')
  const changed = readdirSync(folder)
    .filter((name) => name > '0103')
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return [...text.matchAll(/^\s*(?:update|insert into|delete from) ([a-z]+\.[a-z_]+)/gm)].map(([, table]) => ({
        name,
        table,
      }))
    })
    .filter(({ table }) => table! in tables && tables[table as keyof typeof tables]?.export !== 'skip')
    .filter(({ name, table }) => !derivedOnly.includes(`${name} ${table}`))
  const withChange = new Set(archiveChanges.map((change) => ('table' in change ? change.table : change.removedTable)))

  assert.deepEqual(
    changed.filter(({ table }) => !withChange.has(table!)),
    [],
  )
})

test('an archive with a part that does not fit in memory is refused', async () => {
  const pack = createPack()
  pack.entry({ name: 'data/crm.leads/000001.ndjson' }, Buffer.alloc(64 * 1024 * 1024 + 1))
  pack.finalize()

  await assert.rejects(verifyArchive(pack.pipe(createGzip({ level: 1 }))), {
    name: 'ArchiveError',
    message: 'An entry of the archive is too large.',
  })
  await assert.rejects(readPart(Readable.from([Buffer.alloc(10), Buffer.alloc(1)]), 10), ArchiveError)
})

const key = createSecretBox(generateKeyEntry('k1'))

async function writeSealed(contents: Record<string, Buffer>) {
  const sealing = { secrets: key, tenantId: newId(), createdAt: '2030-01-01T00:00:00.000Z' }
  const entries = new Map<string, Buffer>()
  const writer = createSealedWriter(sealing, async (name, content) => void entries.set(name, content))
  for (const [name, content] of Object.entries(contents)) await writer.write(name, content.length, [content])
  const sealed = await writer.end()
  const manifest = { created_at: sealing.createdAt, sealed } as Manifest
  const open = async () => {
    const pack = createPack()
    for (const [name, content] of entries) pack.entry({ name }, content)
    pack.finalize()
    return Readable.from([await buffer(pack.pipe(createGzip({ level: 1 })))])
  }
  return { entries, sealed, manifest, open }
}

const sizesOf = async (contents: Record<string, Buffer>) =>
  [...(await writeSealed(contents)).entries.values()].map(({ length }) => length)

test('contents of the sealed part are read as they were written, and other keys do not read it', async () => {
  const contents = { small: Buffer.from('{"a":1}\n'), large: randomBytes(300_000), 'files/1': Buffer.from('\0\n{') }
  const { open, manifest, entries, sealed } = await writeSealed(contents)
  const read: Record<string, Buffer> = {}
  for await (const { name, content } of findSealedReader({ open, manifest, secrets: key })!())
    if (name !== 'small') read[name] = await readPart(content)

  assert.deepEqual(read, { large: contents.large, 'files/1': contents['files/1'] })
  assert.equal(findSealedReader({ open, manifest, secrets: createSecretBox(generateKeyEntry('k1')) }), undefined)
  assert.equal(findSealedReader({ open, manifest: { ...manifest, sealed: undefined }, secrets: key }), undefined)
  const [first, second] = sealed.parts
  entries.set(second!.name, entries.get(first!.name)!)
  await assert.rejects(Array.fromAsync(findSealedReader({ open, manifest, secrets: key })!()), SecretDecryptionError)
})

test('the size of the sealed part does not tell whether a workspace has few sealed rows or none', async () => {
  const line = (length: number) => ({ 'data/a.b/000001.ndjson': Buffer.alloc(length, 'x') })

  const [none, few, more] = [await sizesOf({}), await sizesOf(line(20_000)), await sizesOf(line(70_000))]

  assert.deepEqual(none, few)
  assert.deepEqual(await sizesOf(line(150_000)), more)
})

test('a backup may take longer than an hour without being started again', () => {
  assert.ok(timeLimitMsOf('backups') >= 12 * 3_600_000 && timeLimitMsOf('maintenance') >= 12 * 3_600_000)
})
