import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { pathToFileURL } from 'node:url'
// @ts-expect-error the package has no types
import S3rver from '@20minutes/s3rver'
import { type BlobStore, openBlobStore } from './index.ts'

/** A store with access to its backend. */
export type TestStore = {
  store: BlobStore
  /** Bytes that the backend has received, including uploads in progress. */
  received(): number
  assertNothingLeft(): Promise<void>
  /** Stores small files, on S3 without a request for each. */
  putMany(keys: readonly string[]): Promise<void>
  /** Opens a store whose folder or bucket does not exist. */
  openBroken(): Promise<BlobStore>
}

type S3Operation = (...args: unknown[]) => Promise<unknown>
type S3Files = { putObject: S3Operation; deleteObject: S3Operation; putObjectMultipart: S3Operation }
type S3Server = { run(): Promise<{ port: number }>; close(): Promise<void>; httpServer: Server; store: S3Files }

export async function createTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'storage-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function openTestDiskStore(): Promise<TestStore> {
  const folder = await createTemporaryFolder()
  const incoming = join(folder, '.incoming')
  const store = await openBlobStore({ STORAGE_URL: pathToFileURL(folder).href, S3_REGION: 'us-east-1' })
  return {
    store,
    putMany: async (keys) => void (await Promise.all(keys.map((key) => store.put(key, Buffer.from('x'))))),
    received: () => readdirSync(incoming).reduce((sum, name) => sum + statSync(join(incoming, name)).size, 0),
    assertNothingLeft: async () => assert.deepEqual(await readdir(incoming), []),
    async openBroken() {
      const missingFolder = await createTemporaryFolder()
      const store = await openBlobStore({ STORAGE_URL: pathToFileURL(missingFolder).href, S3_REGION: 'us-east-1' })
      await rm(missingFolder, { recursive: true })
      return store
    },
  }
}

/** The test server does not implement AbortMultipartUpload, so the requests are counted instead. */
export async function openTestS3Store(): Promise<
  TestStore & { failToComplete(): void; assertAborted(count: number): void }
> {
  const options = {
    address: '127.0.0.1',
    port: 0,
    silent: true,
    allowMismatchedSignatures: true,
    directory: await createTemporaryFolder(),
    configureBuckets: [{ name: 'blobs' }],
  }
  const server: S3Server = new S3rver(options)
  const { port } = await server.run()
  serializeWrites(server.store)
  emulateDes()
  const sockets = new Set<Socket>()
  const uploads = { started: 0, completed: 0, aborted: 0 }
  server.httpServer.on('connection', (socket) => sockets.add(socket))
  server.httpServer.on('request', ({ method, url = '' }) => {
    if (method === 'POST' && /[?&]uploads\b/.test(url)) uploads.started += 1
    if (method === 'POST' && /[?&]uploadId=/.test(url)) uploads.completed += 1
    if (method === 'DELETE' && /[?&]uploadId=/.test(url)) uploads.aborted += 1
  })
  after(async () => {
    for (const socket of sockets) socket.destroy()
    await server.close()
  })

  const open = (bucket: string) =>
    openBlobStore({
      STORAGE_URL: `s3://${bucket}/some/prefix`,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    })
  return {
    store: await open('blobs'),
    async putMany(keys) {
      const object = { bucket: 'blobs', content: Buffer.from('x'), metadata: {} }
      for (const key of keys) await server.store.putObject({ ...object, key: `some/prefix/${key}` })
    },
    received: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0),
    assertNothingLeft: async () => assert.equal(uploads.started, uploads.completed + uploads.aborted),
    openBroken: () => open('no-such-bucket'),
    assertAborted: (count) => assert.equal(uploads.aborted, count),
    failToComplete() {
      server.store.putObjectMultipart = () => Promise.reject(new Error('disk full'))
    },
  }
}

/** The server encrypts page tokens with DES, which OpenSSL has removed. Triple DES with one key is equivalent. */
function emulateDes(): void {
  for (const name of ['createCipheriv', 'createDecipheriv'] as const) {
    const create = crypto[name] as (algorithm: string, key: Buffer, iv: Buffer, options?: object) => crypto.Cipheriv
    const withDes: typeof create = (algorithm, key, ...rest) =>
      algorithm === 'des'
        ? create('des-ede3-cbc', Buffer.concat([key, key, key]), ...rest)
        : create(algorithm, key, ...rest)
    Object.assign(crypto, { [name]: withDes })
  }
}

/** S3 writes and deletes are atomic; in this server, concurrent ones fail on shared folders. */
function serializeWrites(files: S3Files): void {
  let last: Promise<unknown> = Promise.resolve()
  for (const name of ['putObject', 'deleteObject'] as const) {
    const operation = files[name].bind(files)
    files[name] = (...args) => {
      const result = last.then(() => operation(...args))
      last = result.catch(() => {})
      return result
    }
  }
}
