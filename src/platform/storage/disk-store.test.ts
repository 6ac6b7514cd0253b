import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { limitTime } from './disk-root.ts'
import { BlobNotFoundError, openBlobStore, RangeNotSatisfiableError, storageKey } from './index.ts'
import { createTemporaryFolder } from './stores.stand-in.ts'

async function openStoreInTemporaryFolder() {
  const folder = await createTemporaryFolder()
  return { folder, store: await openBlobStore({ STORAGE_URL: `file:${folder}`, S3_REGION: 'us-east-1' }) }
}

const newKey = (tenantId = newId()) => storageKey(tenantId, 'files', newId())

test('a blob is a file that only the service user can read', async () => {
  const { folder, store } = await openStoreInTemporaryFolder()
  const key = newKey()

  await store.put(key, Buffer.from('hello'))

  assert.equal(await readFile(join(folder, key), 'utf8'), 'hello')
  assert.equal((await stat(join(folder, key))).mode & 0o777, 0o600)
  assert.equal((await stat(dirname(join(folder, key)))).mode & 0o777, 0o700)
})

test('a symlink in place of a tenant folder is never followed', async () => {
  const { folder, store } = await openStoreInTemporaryFolder()
  const outside = await createTemporaryFolder()
  const key = newKey()
  const [tenantId, area, id] = key.split('/') as [string, string, string]
  await mkdir(join(outside, area))
  await writeFile(join(outside, area, id), 'not ours')
  await symlink(outside, join(folder, tenantId))

  await assert.rejects(store.put(key, Buffer.from('x')), /not a folder/)
  await assert.rejects(store.put(storageKey(tenantId, 'other', 'x'), Buffer.from('x')), /not a folder/)
  await assert.rejects(store.get(key), BlobNotFoundError)
  await assert.rejects(store.head(key), BlobNotFoundError)
  await store.delete(key)
  await store.deletePrefix(`${tenantId}/`)
  await store.deletePrefix(`${tenantId}/${area}/`)

  for await (const { key: listed } of store.list(`${tenantId}/`)) assert.fail(listed)
  assert.equal(await readFile(join(outside, area, id), 'utf8'), 'not ours')
  assert.deepEqual(await readdir(outside), [area])
  assert.deepEqual(await readdir(join(folder, '.incoming')), [])
})

test('a symlink in place of a blob is not followed, and a new blob replaces the symlink, not its target', async () => {
  const { folder, store } = await openStoreInTemporaryFolder()
  const outside = await createTemporaryFolder()
  const [key, sibling] = [storageKey(newId(), 'files', 'a'), 'b']
  await writeFile(join(outside, 'secret'), 'not ours')
  await store.put(key.replace(/a$/, sibling), Buffer.from('x'))
  await symlink(join(outside, 'secret'), join(folder, key))

  await assert.rejects(store.get(key), BlobNotFoundError)
  await assert.rejects(store.head(key), BlobNotFoundError)
  await store.put(key, Buffer.from('ours'))

  assert.equal((await buffer((await store.get(key)).stream)).toString(), 'ours')
  assert.equal(await readFile(join(outside, 'secret'), 'utf8'), 'not ours')
})

test('empty folders are removed', async () => {
  const { folder, store } = await openStoreInTemporaryFolder()
  const [one, other] = [newKey(), newKey()]
  await store.put(one, Buffer.from('x'), { contentType: 'text/plain' })
  await store.put(other, Buffer.from('x'))

  await store.delete(one)
  await store.deletePrefix(`${other.split('/').slice(0, 2).join('/')}/`)

  assert.deepEqual(await readdir(folder), ['.incoming'])
})

test('incomplete uploads of dead processes are removed after a day', async () => {
  const { folder } = await openStoreInTemporaryFolder()
  const [old, fresh] = [join(folder, '.incoming', 'old'), join(folder, '.incoming', 'fresh')]
  await writeFile(old, 'x')
  await writeFile(fresh, 'x')
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1_000)
  await utimes(old, yesterday, yesterday)

  await openBlobStore({ STORAGE_URL: `file:${folder}`, S3_REGION: 'us-east-1' })

  assert.deepEqual(await readdir(join(folder, '.incoming')), ['fresh'])
})

test('a range can be the first byte, and an empty file has no satisfiable range', async () => {
  const { store } = await openStoreInTemporaryFolder()
  const [key, empty] = [newKey(), newKey()]
  await store.put(key, Buffer.from('hello'))
  await store.put(empty, Buffer.alloc(0))

  const { stream } = await store.get(key, { start: 0, end: 0 })

  assert.equal((await buffer(stream)).toString(), 'h')
  await assert.rejects(store.get(empty, { start: 0, end: 0 }), RangeNotSatisfiableError)
})

test('the folder can be relative to the working directory', async () => {
  const folder = await createTemporaryFolder()
  const key = newKey()

  const store = await openBlobStore({ STORAGE_URL: `file:${relative(process.cwd(), folder)}`, S3_REGION: 'us-east-1' })
  await store.put(key, Buffer.from('hello'))

  assert.equal(await readFile(join(folder, key), 'utf8'), 'hello')
})

test('a STORAGE_URL that is neither a folder nor a bucket is rejected at startup', async () => {
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

test('a folder that cannot be used is described in one sentence at startup', async () => {
  const home = await createTemporaryFolder()
  await writeFile(join(home, 'file'), '')
  const open = (url: string) => openBlobStore({ STORAGE_URL: url, S3_REGION: 'us-east-1' })

  await assert.rejects(open(`file:${join(home, 'file/files')}`), {
    message: `The folder ${home}/file/files cannot be used for files: a part of its path is a file. Choose another folder.`,
  })
  await assert.rejects(
    open('file:///proc/nope'),
    /^Error: The folder \/proc\/nope cannot be used for files: [\w -]+\. Choose/,
  )
})

test('a folder that does not respond is reported', async () => {
  const never = new Promise<string>(() => {})

  await assert.rejects(limitTime(never, '/mnt/files', 10), {
    message: 'The folder /mnt/files did not respond within 0.01 seconds.',
  })
})

test('only the store itself is private, not the folders above it', async () => {
  const home = await createTemporaryFolder()
  await openBlobStore({ STORAGE_URL: `file:${join(home, 'data/files')}`, S3_REGION: 'us-east-1' })

  assert.equal((await stat(join(home, 'data'))).mode & 0o005, 0o005)
  assert.equal((await stat(join(home, 'data/files/'))).mode & 0o777, 0o700)
})
