import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { createGzip } from 'node:zlib'
import { pack as createPack } from 'tar-stream'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { timeLimitMsOf } from '#platform/jobs'
import { buildRegistry, listExportColumns, listSealedColumns } from '#platform/module'
import { startTestDb } from '#testing'
import { modules } from '../../../modules.ts'
import { type ArchiveChange, archiveChanges } from '../archives/archive-changes.ts'
import { planTable } from '../archives/convert-archive.rules.ts'
import { ArchiveError, readPart, verifyArchive } from '../archives/read-archive.ts'
import archiveColumns from './archive-columns.json' with { type: 'json' }
import { listTableColumns } from './import-rows.queries.ts'

const { db } = await startTestDb()
const { tables } = buildRegistry(modules)
/** The columns with which a table first was in an archive, then those that were added later. */
type ArchiveColumns = Record<string, string[]>
const archived: ArchiveColumns = archiveColumns
const { exported, current } = await inTenant(db, systemActor(newId()), async (tx) => {
  const columns = await listExportColumns(tx, tables)
  for (const [name, sealed] of await listSealedColumns(tx, tables)) columns.get(name)!.push(...sealed)
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
      const conversion = planTable({ name, columns: archivedColumns }, target, changes)
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
  assert.deepEqual(findProblems(withFormer, [{ table: 'crm.leads', removedColumn: 'fax' }]), [])
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

  const conversion = planTable({ name: 'a.b', columns: ['id', 'sum', 'fax', 'is_big', 'html'] }, target, changes)

  assert.ok('plan' in conversion)
  assert.deepEqual(conversion.plan.columns, ['id', 'total', 'is_big', 'kind'])
  const line = conversion.plan.convert!('{"id":"1","sum":12345678901234567890.10,"is_big":true}')
  assert.match(line, /"total":12345678901234567890\.10[,}]/)
  assert.match(line, /"kind":"big"/)
})

/** Migrations whose changes of values an import need not repeat. */
const derivedOnly: string[] = []

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

test('a backup may take longer than an hour without being started again', () => {
  assert.ok(timeLimitMsOf('backups') >= 12 * 3_600_000 && timeLimitMsOf('maintenance') >= 12 * 3_600_000)
})
