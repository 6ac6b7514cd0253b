import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openBlobStore } from '#platform/storage'
import { freePort } from '#testing'
// The stand-ins of the storage are the only way to break a real store.
import { openTestDiskStore, openTestS3Store } from '../storage/stores.stand-in.ts'
import { startFilesApp } from './files.fixture.ts'
import { officeFile, pdf } from './formats/sample-files.fixture.ts'

const [s3, disk, port] = [await openTestS3Store(), await openTestDiskStore(), await freePort()]
const unreachable = await openBlobStore({
  STORAGE_URL: 's3://blobs',
  S3_ENDPOINT: `http://127.0.0.1:${port}`,
  S3_REGION: 'us-east-1',
  S3_ACCESS_KEY_ID: 'x',
  S3_SECRET_ACCESS_KEY: 'x',
})
const stores = {
  'a bucket that does not exist': await s3.openBroken(),
  'a folder that does not exist': await disk.openBroken(),
  'a server that cannot be reached': unreachable,
}
const { acme, call, upload, fileUrl, rows, services } = await startFilesApp()
const { context } = services.files
const largePdf = Buffer.concat([pdf.subarray(0, 9), randomBytes(20_000_000), pdf])

async function keysIn(store = s3.store): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(`${acme.id}/`)) keys.push(key)
  return keys
}

for (const [name, store] of Object.entries(stores))
  test(`an upload to ${name} is 503 and leaves no row`, async () => {
    context.storage = store

    const small = await upload({ content: pdf })
    const large = await upload({ content: largePdf })

    assert.deepEqual(
      [small.status, small.body.code, small.headers['retry-after']],
      [503, 'dependency_unavailable', '5'],
    )
    assert.equal(large.status, 503)
    assert.deepEqual(await rows(), [])
  })

test('files are uploaded to S3 in parts, checked there and served in ranges', async () => {
  context.storage = s3.store

  const { status, body } = await upload({ content: largePdf })
  const office = await upload({ filename: 'a.docx', content: officeFile('docx') })
  const macros = await upload({
    filename: 'a.docx',
    content: officeFile('docx', [{ name: 'word/vbaProject.bin', content: 'x' }]),
  })
  const range = await call('GET', fileUrl(body.id), { range: 'bytes=9000000-9000009' })

  assert.deepEqual([status, office.status, macros.status], [201, 201, 415])
  assert.deepEqual([range.status, range.bytes], [206, largePdf.subarray(9_000_000, 9_000_010)])
  assert.equal((await keysIn()).length, 2)
})

test('an unavailable storage is 503 for downloads, and a missing object is 404', async () => {
  context.storage = s3.store
  const { body } = await upload({ content: pdf })
  context.storage = unreachable
  const down = await call('GET', fileUrl(body.id))
  context.storage = s3.store
  await s3.store.delete(`${acme.id}/files/${body.id}`)

  assert.deepEqual([down.status, down.body.code], [503, 'dependency_unavailable'])
  assert.equal((await call('GET', fileUrl(body.id))).status, 404)
})

test('an upload that S3 does not complete is 503 and leaves neither row nor object', async () => {
  context.storage = s3.store
  const before = [await rows(), await keysIn()]
  s3.failToComplete()

  const { status } = await upload({ content: largePdf })

  assert.equal(status, 503)
  assert.deepEqual([await rows(), await keysIn()], before)
  s3.assertAborted(1)
})
