import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppError } from '#platform/errors'
import { waitUntil } from '#testing'
import { watchTransferRate } from '../http/body/transfer-rate.ts'
import { partHead, startFilesApp } from './files.fixture.ts'
import { groupLimits } from './formats/file-type.ts'
import { officeFile, pdf, png, sampleFiles } from './formats/sample-files.fixture.ts'

const { acme, authorization, call, upload, uploadPath, fileUrl, rows, storedKeys, owner, port, tenant, services } =
  await startFilesApp()
const largePdf = (bytes: number) => Buffer.concat([pdf.subarray(0, 9), randomBytes(bytes), pdf])

test('every accepted type is detected from its content, stored and returned unchanged', async () => {
  for (const [filename, content, mediaType] of sampleFiles) {
    const { status, body } = await upload({ filename, content, declaredType: 'application/x-wrong' })
    assert.deepEqual([filename, status, body.media_type], [filename, 201, mediaType], JSON.stringify(body))
    const sha256 = createHash('sha256').update(content).digest('hex')
    assert.partialDeepStrictEqual(body, {
      size_bytes: content.length,
      sha256,
      scan: { status: 'skipped', engine: 'none' },
      uploaded_by: acme.admin.userId,
    })
    const file = await call('GET', fileUrl(body.id))
    assert.equal(file.status, 200)
    assert.deepEqual(file.bytes, content)
  }
  assert.equal((await rows()).length, sampleFiles.length)
  assert.deepEqual(
    (await storedKeys()).map((key) => key.split('/').at(-1)),
    await rows(),
  )
})

test('names are cleaned, and the extension follows from the content', async () => {
  const name = async (filename: string, content = png) => (await upload({ filename, content })).body.filename

  assert.equal(await name('photo.jpg'), 'photo.png')
  assert.equal(await name('..hidden.png'), 'hidden.png')
  assert.equal(await name('a\u202egnp.exe'), 'agnp.exe.png')
  assert.equal(await name('con<script>.png'), 'conscript.png')
  assert.equal(await name('e\u0301te\u0301.png'), 'été.png')
  assert.equal(await name(''), 'file.png')
  assert.equal(await name('.png'), 'png.png')
  const long = await name(`${'ü'.repeat(300)}.png`)
  assert.equal(Buffer.byteLength(long), 180)
  assert.match(long, /^ü+\.png$/)
})

test('a file that is too large for its group or purpose is rejected and leaves nothing', async () => {
  const before = [await rows(), await storedKeys()]

  const logo = await upload({
    filename: 'a.png',
    content: Buffer.concat([png, randomBytes(1_100_000)]),
    purpose: 'test_logo',
  })
  const image = await upload({ filename: 'a.png', content: Buffer.concat([png, randomBytes(26 * 1_048_576)]) })

  assert.deepEqual([logo.status, logo.body.code, logo.body.max_bytes], [413, 'too_large', 1_048_576])
  assert.deepEqual([image.status, image.body.max_bytes], [413, 25 * 1_048_576])
  assert.deepEqual([await rows(), await storedKeys()], before)
})

test('an Office file, whose type is known at its end, is limited as a document', async () => {
  const content = officeFile('docx')
  const { document } = groupLimits
  groupLimits.document = content.length - 1
  const tooLarge = await upload({ filename: 'a.docx', content })
  groupLimits.document = content.length
  const accepted = await upload({ filename: 'a.docx', content })
  groupLimits.document = document

  assert.deepEqual([tooLarge.status, tooLarge.body.max_bytes, accepted.status], [413, content.length - 1, 201])
})

test('a purpose rejects groups that it does not accept', async () => {
  const { status, body } = await upload({ filename: 'a.pdf', content: pdf, purpose: 'test_logo' })

  assert.deepEqual([status, body.code, body.detected], [415, 'unsupported_media_type', 'application/pdf'])
  assert.deepEqual(body.accepted, ['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
})

test('the storage quota of the workspace is exact, also for concurrent uploads', async () => {
  const content = largePdf(10_000)
  const { rows: usage } = await owner.query('select bytes from platform.file_usage where tenant_id = $1', [acme.id])
  const quota = Number(usage[0].bytes) + 2.5 * content.length
  await owner.query(`update identity.tenants set limits = jsonb_build_object('storage_quota_bytes', $1::bigint)`, [
    Math.floor(quota),
  ])
  const before = [await rows(), await storedKeys()].map(({ length }) => length)

  const results = await Promise.all(Array.from({ length: 6 }, () => upload({ content })))
  await owner.query(`update identity.tenants set limits = '{}'`)

  assert.deepEqual(results.map(({ status }) => status).sort(), [201, 201, 413, 413, 413, 413])
  assert.equal(results.find(({ status }) => status === 413)!.body.code, 'storage_quota_exceeded')
  assert.deepEqual(
    [await rows(), await storedKeys()].map(({ length }) => length),
    before.map((count) => count + 2),
  )
})

/** Sends the first bytes of an upload of 9 MB. */
function startUpload(content: Buffer): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST ${uploadPath()} HTTP/1.1\r\nHost: ${acme.host}\r\nAuthorization: ${authorization}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 9000000\r\n\r\n`,
  )
  socket.write(Buffer.concat([partHead('a.pdf', 'application/pdf'), content]))
  return socket
}

/** Counts the uploads that have a slot. */
function countStarted(): { uploads: number; release(): void } {
  const { context } = services.files
  const { limitUploads } = context
  const started = { uploads: 0, release: () => void Object.assign(context, { limitUploads }) }
  context.limitUploads = (key, work) =>
    limitUploads(key, () => {
      started.uploads++
      return work()
    })
  return started
}

test('slow uploads of a workspace leave half of the slots to others', async () => {
  const [other, started] = [await tenant(), countStarted()]
  const before = (await storedKeys()).length
  const sockets = Array.from({ length: 8 }, () => startUpload(largePdf(100)))
  await waitUntil(() => started.uploads >= 4)

  const headers = { host: other.host, authorization: `Bearer ${other.admin.accessToken}` }
  const uploaded = await upload({ content: pdf, headers })
  const { uploads } = started
  started.release()
  for (const socket of sockets) socket.destroy()
  await waitUntil(async () => (await storedKeys()).length === before)
  await owner.query('delete from platform.files where tenant_id = $1', [other.id])

  assert.deepEqual([uploaded.status, uploads], [201, 5])
})

test('an upload that is too slow ends with an error, but not while the server does not read', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const started = countStarted()
  const socket = startUpload(largePdf(100))
  const response = once(socket, 'data')
  await waitUntil(() => started.uploads === 1)
  t.mock.timers.tick(10_000)
  const [bytes] = await response
  started.release()
  socket.destroy()

  const body = new PassThrough()
  const errors: AppError[] = []
  const endWatch = watchTransferRate(body, (error) => errors.push(error))
  const afterWindow = async (sent: number) => {
    body.write(Buffer.alloc(sent))
    await nextTurn()
    t.mock.timers.tick(10_000)
    return errors.length
  }
  const counts = [await afterWindow(81_920), await afterWindow(81_919)]
  body.pause()
  counts.push(await afterWindow(1), await afterWindow(1))
  endWatch()

  assert.match(String(bytes), /^HTTP\/1.1 408 [\s\S]*"code":"upload_too_slow"/)
  assert.deepEqual(counts, [0, 1, 1, 1])
})

test('a client that disconnects half-way leaves nothing', async () => {
  const before = [await rows(), await storedKeys()]
  for (const bytes of [10, 5_000, 700_000]) {
    const socket = startUpload(largePdf(bytes))
    await new Promise((resolve) => setTimeout(resolve, 100))
    socket.destroy()
  }
  await waitUntil(async () => (await storedKeys()).length === before[1]!.length)

  assert.deepEqual([await rows(), await storedKeys()], before)
})

test('an idempotency key covers the content of the file', async () => {
  const [first, second] = [largePdf(100), largePdf(100)]
  const headers = { 'idempotency-key': 'upload-1' }

  const created = await upload({ content: first, headers })
  const repeated = await upload({ content: first, headers })
  const other = await upload({ content: second, headers })

  assert.deepEqual([created.status, repeated.status, other.status], [201, 201, 422])
  assert.equal(repeated.body.id, created.body.id)
  assert.equal(repeated.headers['idempotency-replayed'], 'true')
  assert.deepEqual(
    (await storedKeys()).map((key) => key.split('/').at(-1)),
    await rows(),
  )
})

test('invalid fields, missing files and missing scopes are rejected and leave nothing', async () => {
  const before = [await rows(), await storedKeys()]
  const body = Buffer.concat([
    partHead('a.pdf', 'application/pdf'),
    pdf,
    Buffer.from('\r\n--x\r\nContent-Disposition: form-data; name="unknown"\r\n\r\nvalue\r\n--x--\r\n'),
  ])
  const type = { 'content-type': 'multipart/form-data; boundary=x' }

  const unknown = await call('POST', uploadPath(), type, body)
  const empty = await upload({ content: Buffer.alloc(0) })
  const viewer = await upload({ content: pdf, headers: { authorization: `Bearer ${acme.viewer.accessToken}` } })

  assert.deepEqual([unknown.status, empty.status, viewer.status], [422, 422, 403])
  assert.deepEqual([await rows(), await storedKeys()], before)
})

test('another workspace cannot read, delete or restore a file', async () => {
  const { body } = await upload({ content: pdf })
  const other = await tenant()
  const headers = { host: other.host, authorization: `Bearer ${other.admin.accessToken}` }

  for (const [method, path] of [
    ['GET', fileUrl(body.id)],
    ['HEAD', fileUrl(body.id)],
    ['DELETE', fileUrl(body.id)],
    ['POST', `/api/enablement/content/test/${body.id}/restore`],
  ] as const)
    assert.equal((await call(method, path, headers)).status, 404)
  assert.equal((await call('GET', fileUrl(body.id))).status, 200)
})
