import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { createSemaphore } from '#platform/concurrency'
import { newId } from '#platform/ids'
import { waitUntil } from '#testing'
import { revokedReaders } from '../file-routes.fixture.ts'
import { startFilesApp } from '../files.fixture.ts'
import { pdf, png, sampleFiles } from '../formats/sample-files.fixture.ts'

const { acme, authorization, call, upload, fileUrl, services, clock, tenant, storedKeys, port } = await startFilesApp()
const anonymous = { authorization: '' }
const content = Buffer.concat([pdf.subarray(0, 9), Buffer.alloc(1_000, 'abcdefghij'), pdf])
const { body: file } = await upload({ filename: 'Angebot März.pdf', content })

test('one range gets its bytes; several or malformed ranges get the whole file', async () => {
  const get = (range: string, more = {}) => call('GET', fileUrl(file.id), { range, ...more })
  const first = await get('bytes=0-99')
  const last = await get('bytes=-5')
  const open = await get(`bytes=${content.length - 3}-`)
  const long = await get(`bytes=10-${content.length * 2}`)

  assert.deepEqual([first.status, first.bytes], [206, content.subarray(0, 100)])
  assert.equal(first.headers['content-range'], `bytes 0-99/${content.length}`)
  assert.equal(first.headers['content-length'], '100')
  assert.deepEqual([last.bytes, open.bytes], [content.subarray(-5), content.subarray(-3)])
  assert.deepEqual([long.status, long.bytes], [206, content.subarray(10)])
  for (const range of ['bytes=0-1,5-6', 'bytes=5-2', 'lines=1-2', 'bytes=-', 'bytes=a-b'])
    assert.deepEqual([range, (await get(range)).status], [range, 200])
})

test('a range after the end is 416 with the size of the file', async () => {
  for (const range of ['bytes=999999999-', `bytes=${content.length}-`, 'bytes=-0']) {
    const { status, headers, body } = await call('GET', fileUrl(file.id), { range })
    assert.deepEqual(
      [status, headers['content-range'], body.code],
      [416, `bytes */${content.length}`, 'range_not_satisfiable'],
    )
  }
})

test('conditional requests compare the strong ETag', async () => {
  const { headers } = await call('GET', fileUrl(file.id))
  const etag = headers.etag!
  const get = (more: Record<string, string>) => call('GET', fileUrl(file.id), more)

  assert.equal(etag, `"${file.sha256.slice(0, 32)}"`)
  const unchanged = await get({ 'if-none-match': `"other", ${etag}` })
  assert.deepEqual([unchanged.status, unchanged.bytes.length, unchanged.headers.etag], [304, 0, etag])
  assert.equal((await get({ 'if-none-match': '"other"' })).status, 200)
  assert.equal((await get({ range: 'bytes=0-1', 'if-range': etag })).status, 206)
  assert.equal((await get({ range: 'bytes=0-1', 'if-range': '"old"' })).status, 200)
  assert.equal((await get({ range: 'bytes=0-1', 'if-range': `W/${etag}` })).status, 200)
})

test('HEAD has the headers of GET and no body', async () => {
  const get = await call('GET', fileUrl(file.id))
  const head = await call('HEAD', fileUrl(file.id))
  const names = ['content-type', 'content-length', 'content-disposition', 'etag', 'accept-ranges', 'last-modified']

  assert.deepEqual([head.status, head.bytes.length], [200, 0])
  for (const name of names) assert.deepEqual([name, head.headers[name]], [name, get.headers[name]])
})

test('every type is sent so that a browser does not run it', async () => {
  const inline = ['application/pdf', 'image/', 'video/mp4', 'video/webm', 'audio/']
  for (const [filename, bytes, mediaType] of sampleFiles) {
    const { body } = await upload({ filename, content: bytes })
    const { headers } = await call('GET', fileUrl(body.id))
    const download = await call('GET', fileUrl(body.id, '?download=true'))
    const isInline = inline.some((prefix) => mediaType.startsWith(prefix))
    assert.equal(headers['content-type']!.split(';')[0], mediaType)
    assert.equal(headers['content-disposition']!.split(';')[0], isInline ? 'inline' : 'attachment')
    assert.match(download.headers['content-disposition']!, /^attachment;/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none';/)
    assert.equal(policy.endsWith('; sandbox'), mediaType !== 'application/pdf')
    assert.equal(headers['cross-origin-resource-policy'], 'same-site')
    assert.equal(headers['cache-control'], 'private, no-cache')
  }
})

test('the name is sent in ASCII and encoded', async () => {
  const { headers } = await call('GET', fileUrl(file.id))

  assert.equal(
    headers['content-disposition'],
    `inline; filename="Angebot M_rz.pdf"; filename*=UTF-8''Angebot%20M%C3%A4rz.pdf`,
  )
})

test('a ticket replaces the credential for its file, its workspace and its lifetime', async () => {
  const other = await tenant()
  const { body: second } = await upload({ content: pdf })
  const issue = (change = {}) =>
    services.files.tickets.issue({ tenantId: acme.id, fileId: file.id, userId: acme.member.userId, ...change })
  const get = async (ticket: string, id = file.id) =>
    (await call('GET', fileUrl(id, `?ticket=${ticket}`), anonymous)).status
  const ticket = issue()
  const [payload = '', signature = ''] = ticket.split('.')
  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace(file.id, second.id)).toString(
    'base64url',
  )

  assert.equal((await call('GET', fileUrl(file.id), anonymous)).status, 401)
  assert.equal(await get(ticket), 200)
  assert.equal((await call('HEAD', fileUrl(file.id, `?ticket=${ticket}`), anonymous)).status, 200)
  assert.equal(await get(ticket, second.id), 401)
  assert.equal(await get(`${forged}.${signature}`, second.id), 401)
  assert.equal(await get(`${payload}.${'A'.repeat(43)}`), 401)
  assert.equal(await get(''), 401)
  assert.equal(await get(issue({ tenantId: other.id })), 401)
  const elsewhere = await call('GET', fileUrl(file.id, `?ticket=${ticket}`), { ...anonymous, host: other.host })
  assert.equal(elsewhere.status, 401)
  const download = await call('GET', fileUrl(file.id, `?ticket=${issue({ disposition: 'attachment' })}`), anonymous)
  assert.match(download.headers['content-disposition']!, /^attachment/)
  assert.equal((await call('DELETE', fileUrl(file.id, `?ticket=${ticket}`), anonymous)).status, 401)

  revokedReaders.add(acme.member.userId)
  assert.equal(await get(ticket), 404)
  revokedReaders.clear()
  assert.equal(await get(ticket), 200)
  const short = issue({ seconds: 60 })
  assert.equal(await get(short), 200)
  clock.advance(61)
  assert.equal(await get(short), 401)
})

test('public files can be cached and need no credential; unknown ones are not found', async () => {
  const get = (id: string) => call('GET', `/api/enablement/content/test-public/${id}/file`, anonymous)
  const { status, headers } = await get(file.id)

  assert.deepEqual([status, headers['cache-control']], [200, 'public, max-age=300'])
  assert.equal((await get(newId())).status, 404)
})

test('a deleted file is not found at once, and can be restored', async () => {
  const { body } = await upload({ filename: 'a.png', content: png })

  assert.equal((await call('DELETE', fileUrl(body.id))).status, 204)
  assert.equal((await call('GET', fileUrl(body.id))).status, 404)
  assert.equal((await call('DELETE', fileUrl(body.id))).status, 404)
  const restored = await call('POST', `/api/enablement/content/test/${body.id}/restore`)
  assert.deepEqual([restored.status, (await call('GET', fileUrl(body.id))).bytes], [200, png])
  assert.ok((await storedKeys()).some((key) => key.endsWith(body.id)))
})

test('slow downloads of a workspace leave slots to others, and a client that has gone frees its slot', async () => {
  const other = await tenant()
  const asOther = { host: other.host, authorization: `Bearer ${other.admin.accessToken}` }
  const { body: large } = await upload({ content: Buffer.concat([pdf.subarray(0, 9), Buffer.alloc(20_000_000), pdf]) })
  const { body: ofOther } = await upload({ content, headers: asOther })
  const { context } = services.files
  const { limitDownloads } = context
  context.limitDownloads = createSemaphore({ concurrency: 2, maxPerKey: 1, maxQueued: 10, maxWaitMs: 1 })
  const slow = request({
    port,
    host: '127.0.0.1',
    path: fileUrl(large.id),
    headers: { host: acme.host, authorization },
  })
  const [unread] = (await once(slow.end(), 'response')) as [IncomingMessage]

  const refused = await call('GET', fileUrl(file.id))
  const served = await call('GET', fileUrl(ofOther.id), asOther)
  unread.destroy()
  await waitUntil(async () => (await call('GET', fileUrl(file.id))).status === 200)
  context.limitDownloads = limitDownloads

  assert.deepEqual([refused.status, refused.body.code, served.status], [429, 'rate_limited', 200])
})
