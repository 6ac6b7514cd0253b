import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { startTestDb, waitForBlockedSessions } from '#testing'
import { applyMigrations, compareMigrations } from './migrate.ts'

const { database, owner } = await startTestDb()
const { ownerUrl } = database

beforeEach(async () => {
  await owner.query('drop schema if exists example cascade; create schema example; delete from public.migrations')
})

function createFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-migrations-'))
  after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('the files before a failed one stay applied, and the error names the failed one', async () => {
  const folder = createFolder({
    '0001_one.sql': 'create table example.one ()',
    '0002_two.sql': 'create table example.two (); select 1 / 0',
    '0003_three.sql': 'create table example.three ()',
  })

  await assert.rejects(applyMigrations(ownerUrl, folder), { message: '0002_two: division by zero' })

  const { rows } = await owner.query(`select tablename from pg_tables where schemaname = 'example'`)
  assert.deepEqual(rows, [{ tablename: 'one' }])
  assert.deepEqual((await compareMigrations(ownerUrl, folder)).pending, ['0002_two', '0003_three'])
})

test('a file that waits for a lock lets other statements pass and is tried again', async () => {
  await owner.query('create table example.busy ()')
  const folder = createFolder({
    '0001_one.sql': 'create table example.one ()',
    '0002_busy.sql': 'alter table example.busy add column added integer',
  })
  const reader = await owner.connect()
  await reader.query('begin; select from example.busy')

  const migration = applyMigrations(ownerUrl, folder)
  try {
    await waitForBlockedSessions(owner, 1, [migration])
    await owner.query('select from example.busy, example.one')
  } finally {
    await reader.query('commit')
    reader.release()
  }

  assert.deepEqual(await migration, ['0001_one', '0002_busy'])
  const { fields } = await owner.query('select * from example.busy')
  assert.deepEqual(
    fields.map(({ name }) => name),
    ['added'],
  )
})

test('an index can be created concurrently', async () => {
  const folder = createFolder({
    '0001_one.sql': 'create table example.one (value integer)',
    '0002_index.js': `export function up(pgm) {
      pgm.noTransaction()
      pgm.sql('create index concurrently one_by_value on example.one (value)')
    }`,
  })

  assert.deepEqual(await applyMigrations(ownerUrl, folder), ['0001_one', '0002_index'])

  const { rows } = await owner.query(`select to_regclass('example.one_by_value') is not null as exists`)
  assert.deepEqual(rows, [{ exists: true }])
})

test('lock waits are limited in transactions only', async () => {
  const record = `insert into example.timeouts select current_setting('lock_timeout')`
  const folder = createFolder({
    '0001_one.sql': `create table example.timeouts (value text); ${record}`,
    '0002_two.js': `export function up(pgm) {
      pgm.noTransaction()
      pgm.sql("${record}")
    }`,
    '0003_three.sql': record,
  })

  await applyMigrations(ownerUrl, folder)

  const { rows } = await owner.query('select value from example.timeouts')
  assert.deepEqual(
    rows.map(({ value }) => value),
    ['2s', '0', '2s'],
  )
})

test('migrations of a newer version are reported, and whether a version is compatible with them', async () => {
  const folder = createFolder({ '0001_one.sql': 'select 1', '0002_two.sql': 'select 1' })
  await applyMigrations(ownerUrl, folder)
  await owner.query(`insert into public.migrations (name, run_on) values ('0003_newer', now())`)
  const compareSince = async (name: string) => {
    await owner.query('update platform.schema_compatibility set compatible_since = $1', [name])
    return await compareMigrations(ownerUrl, folder)
  }

  const newer = { pending: [], unknown: ['0003_newer'] }
  assert.deepEqual(await compareSince('0001_one'), { ...newer, isCompatible: true })
  assert.deepEqual(await compareSince('0003_newer'), { ...newer, isCompatible: false })
})
