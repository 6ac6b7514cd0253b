import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inTenant } from '#platform/db'
import { conflict } from '#platform/errors'
import { openTestDiskStore } from '../storage/stores.stand-in.ts'
import { startFilesApp } from './files.fixture.ts'
import type { GeneratedFile } from './store-file.flow.ts'

const { acme, call, fileUrl, rows, storedKeys, owner, db, services, clock } = await startFilesApp()
const { files } = services
const job = {
  tenantId: acme.id,
  inTenant: <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(db, systemActor(acme.id), work),
}
async function* twoChunks() {
  yield 'name,score\r\n'
  yield Buffer.from('Zoë,9\r\n')
}
const store = (changes: Partial<GeneratedFile<string>> = {}) =>
  files.store(job, {
    purpose: 'test_content',
    filename: 'Answers: May/June.txt',
    type: 'csv',
    chunks: twoChunks(),
    save: async (_tx, { id }) => id,
    ...changes,
  })
const contents = async () => [await rows(), await storedKeys()]

test('a file that a job writes is stored and served like an uploaded one', async () => {
  const deleteAfter = daysLater(clock.now(), 1)
  const id = await store({ deleteAfter })

  const { status, headers, bytes } = await call('GET', fileUrl(id))
  assert.deepEqual(
    [status, headers['content-type'], bytes.toString()],
    [200, 'text/csv; charset=utf-8', 'name,score\r\nZoë,9\r\n'],
  )
  const { rows: stored } = await owner.query(
    'select filename, size_bytes::int, delete_after, deleted_at from platform.files where id = $1',
    [id],
  )
  assert.deepEqual(stored, [
    { filename: 'Answers MayJune.csv', size_bytes: 20, delete_after: deleteAfter, deleted_at: null },
  ])
})

test('an attempt that fails leaves neither bytes nor a row', async () => {
  const before = await contents()
  async function* failing() {
    yield 'name\r\n'
    throw new Error('the snapshot ended')
  }
  async function* long() {
    for (let chunk = 0; chunk < 3; chunk += 1) yield Buffer.alloc(500_000)
  }
  const refuse = async () => {
    throw conflict('conflict', 'The survey is closed.')
  }

  await assert.rejects(store({ chunks: failing() }), /the snapshot ended/)
  await assert.rejects(store({ purpose: 'test_logo', chunks: long() }), { code: 'too_large' })
  await assert.rejects(store({ save: refuse }), { code: 'conflict' })
  const { readQuota } = files.context
  files.context.readQuota = async () => 10
  await assert.rejects(store(), { code: 'storage_quota_exceeded' })
  files.context.readQuota = readQuota
  const { storage } = files.context
  files.context.storage = await (await openTestDiskStore()).openBroken()
  await assert.rejects(store(), /ENOENT/)
  files.context.storage = storage

  assert.deepEqual(await contents(), before)
})
