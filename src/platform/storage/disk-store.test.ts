import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { BlobMissing, openBlobStore, RangeUnsatisfiable, storageKey } from './index.ts'
import { temporaryFolder } from './stores.stand-in.ts'

async function diskStore() {
  const folder = await temporaryFolder()
  return { folder, store: await openBlobStore({ STORAGE_URL: `file:${folder}`, S3_REGION: 'us-east-1' }) }
}

const newKey = (tenantId = newId()) => storageKey(tenantId, 'files', newId())

test('a blob is a plain file that only the service may read', async () => {
  const { folder, store } = await diskStore()
  const key = newKey()

  await store.put(key, Buffer.from('hello'))

  assert.equal(await readFile(join(folder, key), 'utf8'), 'hello')
  assert.equal((await stat(join(folder, key))).mode & 0o777, 0o600)
  assert.equal((await stat(dirname(join(folder, key)))).mode & 0o777, 0o700)
})

test('a link in place of a tenant’s folder is never followed', async () => {
  const { folder, store } = await diskStore()
  const outside = await temporaryFolder()
  const key = newKey()
  const [tenantId, area, id] = key.split('/') as [string, string, string]
  await mkdir(join(outside, area))
  await writeFile(join(outside, area, id), 'not ours')
  await symlink(outside, join(folder, tenantId))

  await assert.rejects(store.put(key, Buffer.from('x')), /no folder/)
  await assert.rejects(store.put(storageKey(tenantId, 'other', 'x'), Buffer.from('x')), /no folder/)
  await assert.rejects(store.get(key), BlobMissing)
  await assert.rejects(store.head(key), BlobMissing)
  await store.delete(key)
  await store.deletePrefix(`${tenantId}/`)
  await store.deletePrefix(`${tenantId}/${area}/`)

  for await (const { key: listed } of store.list(`${tenantId}/`)) assert.fail(listed)
  assert.equal(await readFile(join(outside, area, id), 'utf8'), 'not ours')
  assert.deepEqual(await readdir(outside), [area])
  assert.deepEqual(await readdir(join(folder, '.incoming')), [])
})

test('a link in place of a blob is not followed, and a new blob replaces the link, not what it leads to', async () => {
  const { folder, store } = await diskStore()
  const outside = await temporaryFolder()
  const [key, sibling] = [storageKey(newId(), 'files', 'a'), 'b']
  await writeFile(join(outside, 'secret'), 'not ours')
  await store.put(key.replace(/a$/, sibling), Buffer.from('x'))
  await symlink(join(outside, 'secret'), join(folder, key))

  await assert.rejects(store.get(key), BlobMissing)
  await assert.rejects(store.head(key), BlobMissing)
  await store.put(key, Buffer.from('ours'))

  assert.equal((await buffer((await store.get(key)).stream)).toString(), 'ours')
  assert.equal(await readFile(join(outside, 'secret'), 'utf8'), 'not ours')
})

test('folders without files do not pile up', async () => {
  const { folder, store } = await diskStore()
  const [one, other] = [newKey(), newKey()]
  await store.put(one, Buffer.from('x'), { contentType: 'text/plain' })
  await store.put(other, Buffer.from('x'))

  await store.delete(one)
  await store.deletePrefix(`${other.split('/').slice(0, 2).join('/')}/`)

  assert.deepEqual(await readdir(folder), ['.incoming'])
})

test('what a process that died has left is removed after a day, and not before', async () => {
  const { folder } = await diskStore()
  const [old, fresh] = [join(folder, '.incoming', 'old'), join(folder, '.incoming', 'fresh')]
  await writeFile(old, 'x')
  await writeFile(fresh, 'x')
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1_000)
  await utimes(old, yesterday, yesterday)

  await openBlobStore({ STORAGE_URL: `file:${folder}`, S3_REGION: 'us-east-1' })

  assert.deepEqual(await readdir(join(folder, '.incoming')), ['fresh'])
})

test('the first byte alone can be read, and no byte of an empty file', async () => {
  const { store } = await diskStore()
  const [key, empty] = [newKey(), newKey()]
  await store.put(key, Buffer.from('hello'))
  await store.put(empty, Buffer.alloc(0))

  const { stream } = await store.get(key, { start: 0, end: 0 })

  assert.equal((await buffer(stream)).toString(), 'h')
  await assert.rejects(store.get(empty, { start: 0, end: 0 }), RangeUnsatisfiable)
})

test('the folder may be named relative to where the service runs', async () => {
  const folder = await temporaryFolder()
  const key = newKey()

  const store = await openBlobStore({ STORAGE_URL: `file:${relative(process.cwd(), folder)}`, S3_REGION: 'us-east-1' })
  await store.put(key, Buffer.from('hello'))

  assert.equal(await readFile(join(folder, key), 'utf8'), 'hello')
})

test('a place that is neither folder nor bucket is refused at start', async () => {
  for (const STORAGE_URL of [
    '',
    '/var/lib',
    'https://bucket.example',
    's3://',
    's3://UPPER',
    's3://a/b?c',
    's3://user:pass@bucket/x',
  ])
    await assert.rejects(openBlobStore({ STORAGE_URL, S3_REGION: 'us-east-1' }), /STORAGE_URL must be/)
})
