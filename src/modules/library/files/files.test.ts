import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { waitUntil } from '#testing'
import { partHead } from '../../../platform/files/files.fixture.ts'
import {
  contentTypes,
  createZip,
  mp4,
  officeFile,
  pdf,
  png,
} from '../../../platform/files/formats/sample-files.fixture.ts'
import { createPath, textModule } from '../../learning/learning.fixture.ts'
import { createItem, createPublishedItem, publishItem } from '../content/content.fixture.ts'
import { contentUrl, startContentApp } from './files.fixture.ts'

const { acme, call, as, upload, download, storedKeys, services, port, owner, clock } = await startContentApp()
const pdfWith = (text: string) => Buffer.concat([pdf.subarray(0, 9), Buffer.from(`%${text}\n`), pdf])
const countFiles = async () => (await owner.query('select from platform.files where deleted_at is null')).rows.length

test('an uploaded file becomes the first version and is served to the workspace', async () => {
  const item = await createItem(acme.member, { type: 'slide_deck', body: null })

  const uploaded = await upload(acme.member, item.id, { filename: 'Deck 1.pdf', content: pdf, note: 'First' })
  await publishItem(acme, item.id)
  const read = await acme.viewer.get(`${contentUrl}${item.id}`)
  const served = await call('GET', read.body.file.url, as(acme.viewer))
  const streamed = await call('GET', read.body.file.stream_url)

  assert.equal(uploaded.status, 201)
  assert.partialDeepStrictEqual(uploaded.body, {
    version_no: 1,
    note: 'First',
    is_current: true,
    unchanged: false,
    removed_at: null,
    file: { filename: 'Deck 1.pdf', media_type: 'application/pdf', scan: { status: 'skipped', engine: 'none' } },
    item: { id: item.id, version: 2 },
  })
  assert.equal(read.body.file.url, `${contentUrl}${item.id}/files/Deck%201.pdf`)
  assert.deepEqual([served.status, served.bytes], [200, pdf])
  assert.deepEqual([streamed.status, streamed.bytes], [200, pdf])
  assert.deepEqual((await acme.events()).slice(-2), ['content.version_added', 'content.published'])
})

test('a repeated upload with an idempotency key gets the first response', async () => {
  const item = await createItem(acme.member, { type: 'slide_deck', body: null })
  const send = () => upload(acme.member, item.id, { content: pdf, headers: { 'idempotency-key': 'deck' } })

  const [first, second] = [await send(), await send()]

  assert.deepEqual([first.status, second.status], [201, 201])
  assert.equal(second.headers['idempotency-replayed'], 'true')
  assert.deepEqual(second.body, first.body)
})

test('enablement-1-2 HTML, SVG and macros are rejected whatever their name is', async () => {
  const item = await createItem(acme.member)
  const html = Buffer.from('<!doctype html><script>alert(1)</script>')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>')
  const macros = officeFile('docx', [{ name: 'word/vbaProject.bin', content: 'x' }])

  const offer = await upload(acme.member, item.id, { filename: 'offer.pdf', content: html })
  const logo = await upload(acme.member, item.id, { filename: 'logo.png', content: svg })
  const document = await upload(acme.member, item.id, { filename: 'a.docx', content: macros })

  assert.deepEqual([offer.status, offer.body.code, offer.body.detected], [415, 'unsupported_media_type', 'text/html'])
  assert.deepEqual([logo.status, logo.body.code], [415, 'unsupported_media_type'])
  assert.deepEqual([document.status, document.body.code], [415, 'macros_not_allowed'])
  assert.equal((await acme.member.get(`${contentUrl}${item.id}`)).body.file, null)
})

test('a file must fit the type of its item', async () => {
  const video = await createItem(acme.member, { type: 'video' })
  const deck = await createItem(acme.member, { type: 'slide_deck' })
  const link = await createItem(acme.member, { type: 'link', url: 'https://example.com' })
  const zip = createZip([contentTypes('text/plain')])
  const send = async (id: string, filename: string, content: Buffer) => {
    const { status, body } = await upload(acme.member, id, { filename, content })
    return [status, body.code]
  }

  assert.deepEqual(await send(video.id, 'a.pdf', pdf), [415, 'unsupported_media_type'])
  assert.deepEqual(await send(video.id, 'a.mp4', mp4), [201, undefined])
  assert.deepEqual(await send(deck.id, 'a.png', png), [415, 'unsupported_media_type'])
  assert.deepEqual(await send(deck.id, 'a.zip', zip), [415, 'unsupported_media_type'])
  assert.deepEqual(await send(link.id, 'a.pdf', pdf), [409, 'conflict'])
})

test('enablement-1-3 a file that is too large or incomplete leaves nothing', async () => {
  const item = await createPublishedItem(acme)
  await upload(acme.manager, item.id, { content: pdf })
  const before = { files: await countFiles(), keys: await storedKeys() }
  const large = Buffer.alloc(201 * 1_048_576, '%')
  pdf.copy(large)

  const tooLarge = await upload(acme.manager, item.id, { content: large })
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST ${contentUrl}${item.id}/upload HTTP/1.1\r\nHost: ${acme.host}\r\nAuthorization: Bearer ${acme.manager.accessToken}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n`,
  )
  const half = Buffer.concat([partHead('a.pdf', 'application/pdf'), large.subarray(0, 50_000)])
  await new Promise((resolve) => socket.write(half, resolve))
  socket.destroy()
  await waitUntil(async () => (await storedKeys()).length === before.keys.length)

  assert.deepEqual([tooLarge.status, tooLarge.body.max_bytes], [413, 200 * 1_048_576])
  assert.deepEqual({ files: await countFiles(), keys: await storedKeys() }, before)
  const versions = await acme.viewer.get(`${contentUrl}${item.id}/versions`)
  assert.equal(versions.body.total, 1)
  assert.deepEqual((await download(acme.viewer, item.id, 'a.pdf')).bytes, pdf)
})

test('enablement-1-4 files are served in ranges, conditionally and to HEAD', async () => {
  const item = await createPublishedItem(acme)
  const content = pdfWith('x'.repeat(500))
  await upload(acme.manager, item.id, { content })
  const url = `${contentUrl}${item.id}/files/a.pdf`

  const whole = await download(acme.viewer, item.id, 'a.pdf')
  const range = await download(acme.viewer, item.id, 'a.pdf', { range: 'bytes=0-99' })
  const beyond = await download(acme.viewer, item.id, 'a.pdf', { range: 'bytes=999999999-' })
  const outdated = await download(acme.viewer, item.id, 'a.pdf', { range: 'bytes=0-99', 'if-range': '"old"' })
  const known = await download(acme.viewer, item.id, 'a.pdf', { 'if-none-match': whole.headers.etag! })
  const head = await call('HEAD', url, as(acme.viewer))

  assert.deepEqual([range.status, range.bytes], [206, content.subarray(0, 100)])
  assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, `bytes */${content.length}`])
  assert.deepEqual([outdated.status, outdated.bytes], [200, content])
  assert.equal(known.status, 304)
  const names = ['etag', 'content-length', 'content-type', 'content-disposition', 'accept-ranges', 'cache-control']
  assert.deepEqual([head.status, head.bytes.length], [200, 0])
  for (const name of names) assert.equal(head.headers[name], whole.headers[name], name)
})

test('enablement-1-11 parallel uploads get consecutive versions, and If-Match lets one win', async () => {
  const item = await createPublishedItem(acme)
  const send = (text: string, headers?: Record<string, string>) =>
    upload(acme.manager, item.id, { content: pdfWith(text), headers })
  await send('1')

  const both = await Promise.all([send('2'), send('3')])
  const read = await acme.manager.get(`${contentUrl}${item.id}`)
  const other = await createItem(acme.manager)
  const matched = await Promise.all(
    ['a', 'b'].map((text) =>
      upload(acme.manager, other.id, { content: pdfWith(text), headers: { 'if-match': '"1"' } }),
    ),
  )
  const current = await download(acme.manager, item.id, 'a.pdf')
  const again = await upload(acme.manager, item.id, { content: current.bytes })

  assert.deepEqual(both.map(({ body }) => body.version_no).sort(), [2, 3])
  assert.equal(read.body.file.version_no, 3)
  assert.deepEqual(matched.map(({ status }) => status).sort(), [201, 412])
  assert.deepEqual([again.status, again.body.unchanged, again.body.version_no], [200, true, 3])
})

test('a removed file can be restored as a new version', async () => {
  const item = await createItem(acme.member, { type: 'slide_deck', body: null })
  await upload(acme.member, item.id, { content: pdf })
  await publishItem(acme, item.id)
  const url = `${contentUrl}${item.id}`

  const published = await acme.manager.delete(`${url}/file`)
  await acme.manager.patch(url, { status: 'draft' })
  const removed = await acme.member.delete(`${url}/file`)
  const none = await acme.member.delete(`${url}/file`)
  const gone = await download(acme.member, item.id, 'a.pdf')
  const restored = await acme.member.post(`${url}/versions/1/restore`)
  const versions = await acme.member.get(`${url}/versions`)

  assert.deepEqual([published.status, published.body.code], [409, 'published_needs_file'])
  assert.deepEqual([removed.status, none.status, gone.status], [204, 404, 404])
  assert.deepEqual([restored.status, restored.body.version_no, restored.body.is_current], [201, 2, true])
  assert.deepEqual(
    versions.body.items.map(({ version_no, removed_at }: { version_no: number; removed_at: string | null }) => [
      version_no,
      removed_at !== null,
    ]),
    [
      [2, false],
      [1, true],
    ],
  )
  assert.deepEqual((await download(acme.member, item.id, 'a.pdf')).bytes, pdf)
  assert.equal((await acme.member.post(`${url}/versions/7/restore`)).status, 404)
  assert.equal((await acme.member.post(`${url}/versions/2/restore`)).status, 409)
})

test('only the owner and managers upload, and only users who see an item read its files', async () => {
  const item = await createItem(acme.member)
  const colleague = await acme.person('member')

  const hidden = await upload(colleague, item.id, { content: pdf })
  await upload(acme.member, item.id, { content: pdf })
  const draft = await download(colleague, item.id, 'a.pdf')
  await publishItem(acme, item.id)
  const refused = await upload(colleague, item.id, { content: pdf })

  assert.deepEqual([hidden.status, draft.status, refused.status], [404, 404, 403])
  assert.equal((await upload(acme.viewer, item.id, { content: pdf })).status, 403)
  assert.equal((await download(colleague, item.id, 'a.pdf')).status, 200)
  assert.equal((await download(colleague, item.id, 'b.pdf')).status, 404)
  assert.equal((await download(colleague, item.id, 'a.pdf?version=1')).status, 200)
  assert.equal((await download(colleague, item.id, 'a.pdf?version=2')).status, 404)
})

test('a ticket ends with the sessions of its user and is valid for its file only', async () => {
  const item = await createPublishedItem(acme)
  await upload(acme.manager, item.id, { content: pdf })
  const leaving = await acme.person('viewer')
  const { body } = await leaving.get(`${contentUrl}${item.id}`)
  const other = await createPublishedItem(acme)
  await upload(acme.manager, other.id, { content: pdfWith('other') })
  const ticket = new URL(body.file.stream_url, 'http://x').searchParams.get('ticket')

  const before = await call('GET', body.file.stream_url)
  const foreign = await call('GET', `${contentUrl}${other.id}/files/a.pdf?ticket=${ticket}`)
  await acme.sql('update identity.sessions set revoked_at = $2 where user_id = $1', [leaving.userId, clock.now()])
  const after = await call('GET', body.file.stream_url)

  assert.deepEqual([before.status, foreign.status, after.status], [200, 401, 404])
  assert.equal((await call('GET', `${body.file.url}?ticket=nonsense`)).status, 401)
  assert.equal(services.registry.filePurposes.filter(({ name }) => name === 'content').length, 1)
})

test('the file of a deleted item is not found at once, and its bytes stay for 30 days', async () => {
  const item = await createPublishedItem(acme)
  await upload(acme.manager, item.id, { content: pdfWith('deleted') })
  const before = await storedKeys()

  await acme.manager.delete(`${contentUrl}${item.id}`)

  assert.equal((await download(acme.manager, item.id, 'a.pdf')).status, 404)
  assert.deepEqual(await storedKeys(), before)
})

test('enablement-1-10 content of a published path is deleted after its module, its file at once and the bytes after 30 days', async () => {
  const item = await createItem(acme.member, { type: 'slide_deck', body: null })
  await upload(acme.member, item.id, { filename: 'deck.pdf', content: pdfWith('path') })
  await publishItem(acme, item.id)
  const path = await createPath(acme, { modules: [textModule, { kind: 'content', content_item_id: item.id }] })
  const url = `${contentUrl}${item.id}`
  const served = await download(acme.viewer, item.id, 'deck.pdf')
  const stored = await storedKeys()

  const refused = await acme.manager.delete(url)
  await acme.manager.delete(path.modules[1]!.url)
  const deleted = await acme.manager.delete(url)
  const gone = await download(acme.viewer, item.id, 'deck.pdf')

  assert.deepEqual([refused.status, refused.body.code], [409, 'in_use'])
  assert.deepEqual(refused.body.references, [{ id: path.id, title: 'Product basics', type: 'learning_path' }])
  assert.deepEqual([served.status, deleted.status, gone.status], [200, 204, 404])
  const { rows } = await owner.query(
    `select extract(day from delete_after - deleted_at)::int as days from platform.files where tenant_id = $1
     and filename = 'deck.pdf'`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ days: 30 }])
  assert.deepEqual(await storedKeys(), stored)
})
