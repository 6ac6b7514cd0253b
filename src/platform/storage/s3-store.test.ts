import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { newId } from '#platform/ids'
import { BlobNotFoundError, openBlobStore, storageKey } from './index.ts'
import { createTemporaryFolder, openTestS3Store } from './stores.stand-in.ts'

/** The default quota of files of a workspace. */
const defaultQuotaBytes = 100 * 1024 ** 3
const newKey = () => storageKey(newId(), 'files', newId())

test('the S3 client is loaded only for S3 storage', async () => {
  // A thread has modules of its own; other files of this process may have loaded the client.
  const thread = new Worker(new URL('load-stores.stand-in.ts', import.meta.url), {
    workerData: `file:${await createTemporaryFolder()}`,
  })
  const [isLoaded] = await once(thread, 'message')

  assert.deepEqual(isLoaded, { byDisk: false, byS3: true })
})

test('an upload that fails to complete is aborted', async () => {
  const { store, failToComplete, assertAborted } = await openTestS3Store()
  const key = newKey()
  failToComplete()

  await assert.rejects(store.put(key, Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(1024 * 1024)))))

  await assert.rejects(store.head(key), BlobNotFoundError)
  assertAborted(1)
})

test('the archive of a workspace that uses its whole quota can be uploaded', async () => {
  const { maxLargeUploadBytes } = await import('./s3-store.ts')
  const { store } = await openTestS3Store()
  const key = newKey()
  const content = Buffer.alloc(40 * 1024 * 1024, 'x')

  const { size } = await store.put(key, Readable.from([content]), { isLarge: true })

  assert.ok(maxLargeUploadBytes > 2 * defaultQuotaBytes)
  assert.equal(size, content.length)
  assert.equal((await store.head(key)).size, content.length)
})

test('a missing bucket is not reported as a missing file', async () => {
  const { openBroken } = await openTestS3Store()
  const store = await openBroken()

  await assert.rejects(store.put(newKey(), Buffer.from('x')), { name: 'NoSuchBucket' })
  await assert.rejects(store.get(newKey()), { name: 'NoSuchBucket' })
})

test('an unreachable store is not reported as a missing file', async () => {
  const store = await openBlobStore({
    STORAGE_URL: 's3://blobs',
    S3_ENDPOINT: 'http://127.0.0.1:1',
    S3_REGION: 'us-east-1',
    S3_ACCESS_KEY_ID: 'x',
    S3_SECRET_ACCESS_KEY: 'x',
  })
  const body = Readable.from([Buffer.from('x')])

  await assert.rejects(store.get(newKey()), /ECONNREFUSED/)
  await assert.rejects(store.put(newKey(), body), /ECONNREFUSED/)
  await assert.rejects(store.ping(), /ECONNREFUSED/)

  assert.equal(body.destroyed, true)
})

test('slow downloads use none of the connections of other operations', async () => {
  const { store } = await openTestS3Store()
  const key = newKey()
  const content = Buffer.alloc(2_000_000)
  await store.put(key, content)
  // Unread streams keep their connections, of which other operations have 50.
  const served = await Promise.all(Array.from({ length: 51 }, () => store.serve(key)))

  await store.put(newKey(), Buffer.from('x'))
  const read = await buffer((await store.get(key)).stream)
  for (const { stream } of served) stream.destroy()

  assert.equal(read.length, content.length)
})
