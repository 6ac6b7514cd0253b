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
// @ts-expect-error it comes without types
import S3rver from '@20minutes/s3rver'
import { type BlobStore, openBlobStore } from './index.ts'

/** A store, and a look behind it. */
export type TestStore = {
  store: BlobStore
  /** How many bytes have arrived behind the store, those under way included. */
  received(): number
  assertNothingLeft(): Promise<void>
  /** The same store as if disk or bucket were gone. */
  openBroken(): Promise<BlobStore>
}

type Work = (...given: unknown[]) => Promise<unknown>
type S3Files = { putObject: Work; deleteObject: Work; putObjectMultipart: Work }
type S3Server = { run(): Promise<{ port: number }>; close(): Promise<void>; httpServer: Server; store: S3Files }

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'storage-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function onDisk(): Promise<TestStore> {
  const folder = await temporaryFolder()
  const incoming = join(folder, '.incoming')
  const open = () => openBlobStore({ STORAGE_URL: pathToFileURL(folder).href, S3_REGION: 'us-east-1' })
  return {
    store: await open(),
    received: () => readdirSync(incoming).reduce((sum, name) => sum + statSync(join(incoming, name)).size, 0),
    assertNothingLeft: async () => assert.deepEqual(await readdir(incoming), []),
    async openBroken() {
      const lost = await temporaryFolder()
      const store = await openBlobStore({ STORAGE_URL: pathToFileURL(lost).href, S3_REGION: 'us-east-1' })
      await rm(lost, { recursive: true })
      return store
    },
  }
}

/** The server knows no AbortMultipartUpload, so that request itself is the proof that parts are dropped. */
export async function onS3(): Promise<TestStore & { failToComplete(): void; assertDropped(count: number): void }> {
  const options = {
    address: '127.0.0.1',
    port: 0,
    silent: true,
    allowMismatchedSignatures: true,
    directory: await temporaryFolder(),
    configureBuckets: [{ name: 'blobs' }],
  }
  const server: S3Server = new S3rver(options)
  const { port } = await server.run()
  oneAtATime(server.store)
  bringBackDes()
  const sockets = new Set<Socket>()
  const uploads = { begun: 0, completed: 0, dropped: 0 }
  server.httpServer.on('connection', (socket) => sockets.add(socket))
  server.httpServer.on('request', ({ method, url = '' }) => {
    if (method === 'POST' && /[?&]uploads\b/.test(url)) uploads.begun += 1
    if (method === 'POST' && /[?&]uploadId=/.test(url)) uploads.completed += 1
    if (method === 'DELETE' && /[?&]uploadId=/.test(url)) uploads.dropped += 1
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
    received: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0),
    assertNothingLeft: async () => assert.equal(uploads.begun, uploads.completed + uploads.dropped),
    openBroken: () => open('no-such-bucket'),
    assertDropped: (count) => assert.equal(uploads.dropped, count),
    failToComplete() {
      server.store.putObjectMultipart = () => Promise.reject(new Error('disk full'))
    },
  }
}

/** The server seals its page tokens with DES, which OpenSSL no longer offers. Triple DES with one key is the same. */
function bringBackDes(): void {
  for (const name of ['createCipheriv', 'createDecipheriv'] as const) {
    const create = crypto[name] as (algorithm: string, key: Buffer, iv: Buffer, options?: object) => crypto.Cipheriv
    const withDes: typeof create = (algorithm, key, ...rest) =>
      algorithm === 'des'
        ? create('des-ede3-cbc', Buffer.concat([key, key, key]), ...rest)
        : create(algorithm, key, ...rest)
    Object.assign(crypto, { [name]: withDes })
  }
}

/** S3 replaces and deletes a blob in one step; this server trips over its own folders without help. */
function oneAtATime(files: S3Files): void {
  let last: Promise<unknown> = Promise.resolve()
  for (const name of ['putObject', 'deleteObject'] as const) {
    const work = files[name].bind(files)
    files[name] = (...given) => {
      const mine = last.then(() => work(...given))
      last = mine.catch(() => {})
      return mine
    }
  }
}
