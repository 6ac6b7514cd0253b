import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { storageKey } from '#platform/storage'
import { runTenantSchedule } from '#testing'
import { startFilesApp } from './files.fixture.ts'
import { pdf } from './formats/sample-files.fixture.ts'
import { purgeFilesSchedule, sweepFilesSchedule } from './index.ts'

const { acme, call, upload, fileUrl, rows, storedKeys, owner, db, systemDb, services, clock, authorization } =
  await startFilesApp()
const { storage } = services
const day = 86_400
const purge = () => runTenantSchedule({ db, systemDb }, purgeFilesSchedule({ storage, clock }))
const sweep = () =>
  runTenantSchedule({ db, systemDb }, sweepFilesSchedule({ storage, clock, listTenants: async () => [acme.id] }))
const create = async () => (await upload({ content: pdf })).body.id as string
const usedBytes = async () => Number((await owner.query('select bytes from platform.file_usage')).rows[0].bytes)
const keyOf = (id: string) => storageKey(acme.id, 'files', id)

const [kept, deleted, missing] = [await create(), await create(), await create()]
await call('DELETE', fileUrl(deleted))
const orphan = newId()
await storage.put(keyOf(orphan), Buffer.from('bytes without a row'))
await storage.delete(keyOf(missing))

test('a sweep leaves young bytes and deleted files alone', async () => {
  await sweep()
  await purge()

  assert.deepEqual(await storedKeys(), [kept, deleted, orphan].map(keyOf).sort())
  assert.deepEqual(await rows(), [kept, deleted, missing].sort())
})

test('after a day, a sweep deletes bytes without a row and marks rows without bytes', async () => {
  clock.advance(2 * day)
  await owner.query(`update platform.files set created_at = created_at - interval '2 days'`)

  await sweep()

  assert.deepEqual(await storedKeys(), [kept, deleted].map(keyOf).sort())
  const { rows: marked } = await owner.query('select id from platform.files where missing_at is not null')
  assert.deepEqual(marked, [{ id: missing }])
})

test('a marked file is found again when its bytes are back', async () => {
  await storage.put(keyOf(missing), pdf)

  await sweep()

  const { rows: marked } = await owner.query('select id from platform.files where missing_at is not null')
  assert.deepEqual(marked, [])
})

test('a deleted file is purged after 30 days, with its bytes and its share of the quota', async () => {
  await purge()
  assert.ok((await storedKeys()).includes(keyOf(deleted)))
  clock.advance(29 * day)
  await purge()
  await purge()

  assert.deepEqual(await storedKeys(), [kept, missing].map(keyOf).sort())
  assert.deepEqual(await rows(), [kept, missing].sort())
  assert.equal(await usedBytes(), 2 * pdf.length)
  assert.ok(authorization)
})
