import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { enqueue } from '#platform/jobs'
import { storageKey } from '#platform/storage'
import { runTenantSchedule, waitUntil } from '#testing'
import { startFilesApp } from './files.fixture.ts'
import { pdf } from './formats/sample-files.fixture.ts'
import { deleteFiles, deleteFilesNow, purgeFilesSchedule, sweepFilesSchedule } from './index.ts'
import { purgeFileJob } from './purge-files.jobs.ts'

const {
  acme,
  call,
  upload,
  fileUrl,
  rows,
  storedKeys,
  owner,
  db,
  systemDb,
  services,
  clock,
  authorization,
  startTestWorker,
} = await startFilesApp()
const { storage } = services
const day = 86_400
const purge = () => runTenantSchedule({ db, systemDb }, purgeFilesSchedule({ storage, clock }))
const sweep = () =>
  runTenantSchedule({ db, systemDb }, sweepFilesSchedule({ storage, clock, listTenants: async () => [acme.id] }))
const create = async () => (await upload({ content: pdf })).body.id as string
const usedBytes = async () => Number((await owner.query('select bytes from platform.file_usage')).rows[0].bytes)
const inAcme = <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(services.db, systemActor(acme.id), work)
const setThumbnail = (file: string, thumbnail: string) =>
  owner.query('update platform.files set thumbnail_file_id = $2 where id = $1', [file, thumbnail])
const keyOf = (id: string) => storageKey(acme.id, 'files', id)

const [kept, deleted, thumbnail, missing] = [await create(), await create(), await create(), await create()]
await setThumbnail(deleted, thumbnail)
await call('DELETE', fileUrl(deleted))
const orphan = newId()
await storage.put(keyOf(orphan), Buffer.from('bytes without a row'))
await storage.delete(keyOf(missing))

test('files that must not be kept are purged within seconds, with their thumbnails', async () => {
  const [file, fileThumbnail, alreadyDeleted] = [await create(), await create(), await create()]
  await setThumbnail(file, fileThumbnail)
  await call('DELETE', fileUrl(alreadyDeleted))

  const deletedCount = await inAcme((tx) => deleteFilesNow(tx, { clock }, [file, alreadyDeleted, newId()]))
  const download = await call('GET', fileUrl(file))
  const restored = await call('POST', fileUrl(alreadyDeleted).replace(/file$/, 'restore'))
  await inAcme((tx) => enqueue(tx, purgeFileJob, { file_id: kept }))
  const began = performance.now()
  const worker = await startTestWorker()
  await waitUntil(async () => !(await rows()).includes(file) && !(await rows()).includes(alreadyDeleted))
  await worker.stop()

  assert.ok(performance.now() - began < 5_000)
  assert.deepEqual([deletedCount, download.status, restored.status], [1, 404, 404])
  assert.deepEqual(await rows(), [kept, deleted, thumbnail, missing].sort())
  assert.deepEqual(await storedKeys(), [kept, deleted, thumbnail, orphan].map(keyOf).sort())
  assert.equal(await usedBytes(), 4 * pdf.length)
  const { rows: entries } = await owner.query(
    `select action from platform.audit_log where resource_id = $1 and action = 'file.deleted'`,
    [file],
  )
  assert.equal(entries.length, 1)
})

test('a thumbnail is deleted and restored together with its file', async () => {
  const [file, fileThumbnail] = [await create(), await create()]
  await setThumbnail(file, fileThumbnail)
  const readDeleted = async () =>
    (
      await owner.query('select id from platform.files where id = any ($1) and deleted_at is not null', [
        [file, fileThumbnail],
      ])
    ).rowCount

  await call('DELETE', fileUrl(file))
  const afterDeletion = await readDeleted()
  await call('POST', fileUrl(file).replace(/file$/, 'restore'))
  const afterRestore = await readDeleted()
  await inAcme((tx) => deleteFiles(tx, { clock }, [file], { retentionDays: 0 }))
  const afterSecond = await readDeleted()
  await purge()

  assert.deepEqual([afterDeletion, afterRestore, afterSecond], [2, 0, 2])
  assert.ok(!(await rows()).includes(file) && !(await rows()).includes(fileThumbnail))
})

test('a sweep leaves young bytes and deleted files alone', async () => {
  await sweep()
  await purge()

  assert.deepEqual(await storedKeys(), [kept, deleted, thumbnail, orphan].map(keyOf).sort())
  assert.deepEqual(await rows(), [kept, deleted, thumbnail, missing].sort())
})

test('after a day, a sweep deletes bytes without a row and marks rows without bytes', async () => {
  clock.advance(2 * day)
  await owner.query(`update platform.files set created_at = created_at - interval '2 days'`)

  await sweep()

  assert.deepEqual(await storedKeys(), [kept, deleted, thumbnail].map(keyOf).sort())
  const { rows: marked } = await owner.query('select id from platform.files where missing_at is not null')
  assert.deepEqual(marked, [{ id: missing }])
})

test('a marked file is found again when its bytes are back', async () => {
  await storage.put(keyOf(missing), pdf)

  await sweep()

  const { rows: marked } = await owner.query('select id from platform.files where missing_at is not null')
  assert.deepEqual(marked, [])
})

test('a deleted file is purged after 30 days, with its thumbnail, its bytes and its share of the quota', async () => {
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
