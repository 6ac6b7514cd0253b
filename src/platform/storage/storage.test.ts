import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { newId } from '#platform/ids'
import { type BlobListing, BlobNotFoundError, type BlobStore, RangeNotSatisfiableError, storageKey } from './index.ts'
import { openTestDiskStore, openTestS3Store, type TestStore } from './stores.stand-in.ts'

const MiB = 1024 * 1024
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest()
const newKey = (tenantId = newId(), area = 'files') => storageKey(tenantId, area, newId())

async function contentOf({ store }: TestStore, key: string): Promise<Buffer> {
  const { stream } = await store.get(key)
  return buffer(stream)
}

async function listBlobs(store: BlobStore, prefix: string): Promise<BlobListing[]> {
  const blobs: BlobListing[] = []
  for await (const blob of store.list(prefix)) blobs.push(blob)
  return blobs
}

async function keysIn({ store }: TestStore, prefix: string): Promise<string[]> {
  return (await listBlobs(store, prefix)).map(({ key }) => key).sort()
}

/** Streams random chunks on demand. */
function randomStream(chunks: number, { failAfter = Number.POSITIVE_INFINITY, onChunk = (_bytes: Buffer) => {} } = {}) {
  let chunkCount = 0
  return new Readable({
    highWaterMark: 64 * 1024,
    read() {
      if (chunkCount === failAfter) return void this.destroy(new Error('the upload failed'))
      if (chunkCount === chunks) return void this.push(null)
      chunkCount += 1
      const chunk = randomBytes(64 * 1024)
      onChunk(chunk)
      this.push(chunk)
    },
  })
}

for (const [name, open] of Object.entries({ disk: openTestDiskStore, S3: openTestS3Store }))
  suite(`storage on ${name}`, async () => {
    const opened = await open()
    const { store } = opened

    test('a file is returned byte for byte with size, content type and modification time', async () => {
      const key = newKey()
      const content = randomBytes(100_000)
      const before = Date.now()

      const stored = await store.put(key, content, { contentType: 'image/png' })

      assert.deepEqual(stored, { size: 100_000, sha256: sha256(content) })
      const { stream, size, contentType } = await store.get(key)
      assert.deepEqual([size, contentType], [100_000, 'image/png'])
      assert.deepEqual(await buffer(stream), content)
      const head = await store.head(key)
      assert.deepEqual([head.size, head.contentType], [100_000, 'image/png'])
      assert.ok(Math.abs(head.modifiedAt.getTime() - before) < 60_000)
    })

    test('empty files and files without a content type are supported', async () => {
      const [empty, streamed] = [newKey(), newKey()]

      assert.equal((await store.put(empty, Buffer.alloc(0))).size, 0)
      assert.equal((await store.put(streamed, Readable.from([]))).size, 0)

      assert.equal((await contentOf(opened, empty)).length, 0)
      assert.equal((await contentOf(opened, streamed)).length, 0)
      assert.deepEqual(await store.head(empty).then(({ size, contentType }) => [size, contentType]), [0, null])
    })

    test('a byte range can be read', async () => {
      const key = newKey()
      const content = randomBytes(1_000)
      await store.put(key, content)
      const read = async (start: number, end: number) => {
        const { stream, size } = await store.get(key, { start, end })
        assert.equal(size, 1_000)
        return buffer(stream)
      }

      assert.deepEqual(await read(0, 1), content.subarray(0, 2))
      assert.deepEqual(await read(100, 199), content.subarray(100, 200))
      assert.deepEqual(await read(999, 999), content.subarray(999))
      assert.deepEqual(await read(990, 5_000), content.subarray(990))
    })

    test('a range that is not satisfiable is rejected', async () => {
      const key = newKey()
      await store.put(key, randomBytes(10))

      for (const range of [
        { start: 10, end: 10 },
        { start: 5, end: 4 },
        { start: -1, end: 4 },
        { start: 0.5, end: 4 },
      ])
        await assert.rejects(store.get(key, range), RangeNotSatisfiableError)
    })

    test('a missing file is reported as not found, and deleting it succeeds', async () => {
      const key = newKey()

      await assert.rejects(store.get(key), BlobNotFoundError)
      await assert.rejects(store.get(key, { start: 0, end: 1 }), BlobNotFoundError)
      await assert.rejects(store.head(key), BlobNotFoundError)
      await store.delete(key)
    })

    test('deleting a file does not affect other files', async () => {
      const tenantId = newId()
      const [gone, kept] = [newKey(tenantId), newKey(tenantId)]
      await store.put(gone, Buffer.from('gone'), { contentType: 'text/plain' })
      await store.put(kept, Buffer.from('kept'), { contentType: 'text/plain' })

      await store.delete(gone)

      await assert.rejects(store.head(gone), BlobNotFoundError)
      assert.deepEqual(await keysIn(opened, `${tenantId}/`), [kept])
    })

    test('a new version replaces content and content type', async () => {
      const key = newKey()
      await store.put(key, Buffer.from('a longer first version'), { contentType: 'text/plain' })

      await store.put(key, Buffer.from('second'))

      assert.equal((await contentOf(opened, key)).toString(), 'second')
      assert.equal((await store.head(key)).contentType, null)
    })

    test('a large file is streamed without being buffered in memory', async () => {
      const key = newKey()
      const hash = createHash('sha256')
      const before = opened.received()
      let produced = 0
      let maxBuffered = 0

      const body = randomStream(640, {
        onChunk(chunk) {
          hash.update(chunk)
          produced += chunk.length
          maxBuffered = Math.max(maxBuffered, produced - (opened.received() - before))
        },
      })
      const stored = await store.put(key, body)

      assert.deepEqual(stored, { size: 40 * MiB, sha256: hash.digest() })
      assert.ok(maxBuffered < 28 * MiB, `${maxBuffered} bytes were buffered`)
      const again = createHash('sha256')
      for await (const chunk of (await store.get(key)).stream) again.update(chunk)
      assert.deepEqual(again.digest(), stored.sha256)
    })

    test('a failed upload leaves nothing behind', async () => {
      const tenantId = newId()

      for (const failAfter of [0, 3, 300])
        await assert.rejects(store.put(newKey(tenantId), randomStream(320, { failAfter })), /the upload failed/)

      assert.deepEqual(await keysIn(opened, `${tenantId}/`), [])
      await opened.assertNothingLeft()
    })

    test('an upload whose sender disconnects leaves nothing behind', async () => {
      const tenantId = newId()
      const body = new PassThrough()
      body.write(randomBytes(1_000))
      setTimeout(() => body.destroy(), 50)

      await assert.rejects(store.put(newKey(tenantId), body))

      assert.deepEqual(await keysIn(opened, `${tenantId}/`), [])
      await opened.assertNothingLeft()
    })

    test('a body that fails before it is read fails the upload without crashing the process', async () => {
      const body = new PassThrough()

      const putting = store.put(newKey(), body)
      body.destroy(new Error('already failed'))

      await assert.rejects(putting, /already failed/)
    })

    test('a failed upload leaves the previous version unchanged', async () => {
      const key = newKey()
      await store.put(key, Buffer.from('first'), { contentType: 'text/plain' })

      await assert.rejects(store.put(key, randomStream(320, { failAfter: 300 })), /the upload failed/)

      assert.equal((await contentOf(opened, key)).toString(), 'first')
      assert.equal((await store.head(key)).contentType, 'text/plain')
    })

    test('one of several concurrent uploads to the same key wins completely', async () => {
      const key = newKey()
      const contents = Array.from({ length: 8 }, () => randomBytes(300_000))

      await Promise.all(contents.map((content) => store.put(key, content)))

      const winner = await contentOf(opened, key)
      assert.ok(contents.some((content) => content.equals(winner)))
    })

    test('concurrent uploads and deletes do not interfere', async () => {
      const tenantId = newId()
      const survivors = Array.from({ length: 20 }, () => newKey(tenantId))

      await Promise.all(
        survivors.map(async (key) => {
          const temporary = newKey(tenantId)
          await store.put(temporary, Buffer.from('temporary'))
          await Promise.all([store.delete(temporary), store.put(key, Buffer.from(key))])
        }),
      )

      assert.deepEqual(await keysIn(opened, `${tenantId}/`), survivors.toSorted())
    })

    test('all files of a tenant or area are listed and deleted without affecting others', async () => {
      const [tenantId, other] = [newId(), newId()]
      const [file, second, backup, foreign] = [
        newKey(tenantId),
        newKey(tenantId),
        newKey(tenantId, 'files2'),
        newKey(other),
      ]
      for (const key of [file, second, backup, foreign])
        await store.put(key, Buffer.from(key), { contentType: 'text/plain' })

      assert.deepEqual(await keysIn(opened, `${tenantId}/`), [file, second, backup].toSorted())
      assert.deepEqual(await keysIn(opened, `${tenantId}/files/`), [file, second].toSorted())
      const [found] = await listBlobs(store, `${other}/`)
      assert.deepEqual([found?.key, found?.size, found?.modifiedAt instanceof Date], [foreign, foreign.length, true])

      await store.deletePrefix(`${tenantId}/files/`)
      assert.deepEqual(await keysIn(opened, `${tenantId}/`), [backup])
      await store.deletePrefix(`${tenantId}/`)
      assert.deepEqual(await keysIn(opened, `${tenantId}/`), [])
      assert.equal((await contentOf(opened, foreign)).toString(), foreign)
      await store.deletePrefix(`${newId()}/`)
    })

    test('listing and deleting work across pages', async () => {
      const tenantId = newId()
      const keys = Array.from({ length: 1_005 }, () => newKey(tenantId))
      await opened.putMany(keys)

      assert.deepEqual(await keysIn(opened, `${tenantId}/`), keys.toSorted())
      await store.deletePrefix(`${tenantId}/`)

      assert.deepEqual(await keysIn(opened, `${tenantId}/`), [])
    })

    test('ping rejects if the storage is not available', async () => {
      await store.ping()

      await assert.rejects(async () => (await opened.openBroken()).ping())
    })
  })
