import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startTestApp, waitUntil } from '#testing'
import { received, testRoutes } from './body-kinds.fixture.ts'

const { app, tenant } = await startTestApp({}, { routes: testRoutes })
const acme = await tenant()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const port = Number(new URL(origin).port)
const headers = { host: acme.host, authorization: `Bearer ${acme.admin.accessToken}` }

async function send(
  path: string,
  init: { method?: string; body?: FormData | Buffer | string; headers?: Record<string, string> },
) {
  const { headers: more, body, method = 'POST' } = init
  const form = body instanceof FormData ? new Response(body) : undefined
  const sent = request(`${origin}${path}`, {
    method,
    headers: { ...headers, ...(form && { 'content-type': form.headers.get('content-type')! }), ...more },
  })
  sent.end(form ? Buffer.from(await form.arrayBuffer()) : body)
  const [response] = await once(sent, 'response')
  const text = (await buffer(response)).toString()
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : undefined,
  }
}

const upload = (entries: [string, string | Blob, string?][], more: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [name, value, filename] of entries)
    typeof value === 'string' ? form.append(name, value) : form.append(name, value, filename)
  return send('/api/teams/test-upload', { body: form, headers: more })
}

test('gzip is accepted where it is declared, up to the size limit of the decompressed body', async () => {
  const json = { 'content-type': 'application/json' }
  const post = (
    text: string,
    encoding: string | undefined,
    body: Buffer | string = gzipSync(JSON.stringify({ text })),
  ) => send('/api/teams/test-gzip', { body, headers: { ...json, ...(encoding && { 'content-encoding': encoding }) } })

  assert.deepEqual((await post('a'.repeat(5_000), 'gzip')).body, { length: 5_000 })
  assert.deepEqual((await post('', undefined, '{"text":"plain"}')).body, { length: 5 })
  assert.partialDeepStrictEqual((await post('a'.repeat(10_000_000), 'gzip')).body, { status: 413, code: 'too_large' })
  assert.partialDeepStrictEqual((await post('', 'gzip', 'not gzip')).body, { status: 422, code: 'malformed_json' })
  assert.partialDeepStrictEqual((await post('', 'br')).body, {
    status: 415,
    detail: '`Content-Encoding` must be gzip.',
  })
  const elsewhere = await send('/api/teams/', {
    body: gzipSync('{"name":"Zipped"}'),
    headers: { ...json, 'content-encoding': 'gzip' },
  })
  assert.equal(elsewhere.status, 415)
})

test('forms are accepted where they are declared and validated like JSON', async () => {
  const post = (body: string, path = '/api/teams/test-form', type = 'application/x-www-form-urlencoded') =>
    send(path, { body, headers: { 'content-type': type } })

  assert.deepEqual((await post('choice=all')).body, { choice: 'all' })
  assert.equal((await post('choice=some')).status, 422)
  assert.equal((await post('choice=all&choice=none')).body.errors[0].code, 'duplicate')
  assert.equal((await post('choice=all&__proto__=1')).status, 422)
  assert.equal((await post(`choice=${'a'.repeat(2_000)}`)).status, 413)
  assert.equal(
    (await post('{"choice":"all"}', undefined, 'application/json')).body.detail,
    '`Content-Type` must be application/x-www-form-urlencoded or multipart/form-data.',
  )
  assert.equal((await post('name=Form', '/api/teams/')).status, 415)

  const postMultipart = (entries: [string, string | Blob][]) => {
    const body = new FormData()
    for (const [name, value] of entries) body.append(name, value)
    return send('/api/teams/test-form', { body })
  }
  assert.deepEqual((await postMultipart([['choice', 'all']])).body, { choice: 'all' })
  assert.equal((await postMultipart([['choice', new Blob(['all'])]])).body.errors[0].code, 'unexpected')
  assert.equal((await postMultipart([['choice', 'a'.repeat(2_000)]])).status, 413)
  assert.equal((await post('--x', undefined, 'multipart/form-data; boundary=x')).status, 422)
})

test('a multipart body passes its file on while it arrives, with validated fields before or after it', async () => {
  const content = randomBytes(300_000)
  const blob = new Blob([content], { type: 'image/png' })

  const { status, body } = await upload([
    ['title', ' Deck '],
    ['file', blob, 'dätei.png'],
    ['note', 'late'],
  ])

  assert.equal(status, 200)
  assert.deepEqual(body, {
    fields: { title: 'Deck', note: 'late' },
    filename: 'dätei.png',
    declaredType: 'image/png',
    sha256: createHash('sha256').update(content).digest('hex'),
  })
})

test('invalid multipart bodies are rejected', async () => {
  const file = new Blob(['content'])
  const codeOf = ({ status, body }: Awaited<ReturnType<typeof upload>>) => [status, body.errors?.[0].code ?? body.code]

  assert.deepEqual(
    codeOf(
      await upload([
        ['title', 'x'],
        ['file', file, 'a.txt'],
      ]),
    ),
    [422, 'minLength'],
  )
  assert.deepEqual(codeOf(await upload([['title', 'Deck']])), [422, 'required'])
  assert.deepEqual(
    codeOf(
      await upload([
        ['title', 'Deck'],
        ['other', file, 'a.txt'],
      ]),
    ),
    [422, 'unexpected'],
  )
  assert.deepEqual(
    codeOf(
      await upload([
        ['title', 'Deck'],
        ['file', 'text'],
      ]),
    ),
    [422, 'type'],
  )
  assert.deepEqual(
    codeOf(
      await upload([
        ['title', 'Deck'],
        ['title', 'Two'],
        ['file', file, 'a.txt'],
      ]),
    ),
    [422, 'duplicate'],
  )
  assert.deepEqual(
    codeOf(
      await upload([
        ['title', 'Deck'],
        ['file', file, 'a.txt'],
        ['file', file, 'b.txt'],
      ]),
    ),
    [422, 'max_items'],
  )
  assert.deepEqual(
    codeOf(
      await upload([
        ['title', 'a'.repeat(70_000)],
        ['file', file, 'a.txt'],
      ]),
    ),
    [413, 'too_large'],
  )
  assert.deepEqual(codeOf(await upload(Array.from({ length: 60 }, (_, n) => [`f${n}`, 'x'] as [string, string]))), [
    422,
    'max_items',
  ])
  assert.deepEqual(
    codeOf(
      await upload([
        ['title', 'Deck'],
        ['file', file, 'refused.bin'],
      ]),
    ),
    [422, 'refused'],
  )
  const malformed = (type: string, body = '--x\r\n') =>
    send('/api/teams/test-upload', { body, headers: { 'content-type': type } })
  assert.equal((await malformed('multipart/form-data')).status, 422)
  assert.equal(
    (
      await malformed(
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      )
    ).status,
    422,
  )
  assert.deepEqual(
    [(await malformed('application/json', '{}')).status, (await malformed('text/plain', 'x')).body.detail],
    [415, '`Content-Type` must be multipart/form-data.'],
  )
  assert.equal((await send('/api/teams/', { body: new FormData() })).status, 415)
})

test('bytes of a multipart body are counted, with and without a content length', async () => {
  const tooLong = await upload([
    ['title', 'Deck'],
    ['file', new Blob([randomBytes(1_100_000)]), 'a.bin'],
  ])
  const before = received.length
  const chunked = openUpload()
  chunked.write('Transfer-Encoding: chunked\r\n\r\n')
  writeChunk(chunked, partHead)
  for (let n = 0; n < 20; n += 1) writeChunk(chunked, 'x'.repeat(100_000))

  assert.deepEqual([tooLong.status, tooLong.body.detail], [413, 'The body must not exceed 1 MiB.'])
  assert.match(await firstLine(chunked), /^HTTP\/1.1 413/)
  assert.equal(received.length, before + 1)
  assert.ok(received.at(-1)!.bytes <= 1_048_576 && received.at(-1)!.error)
})

test('no byte of a multipart body reaches the handler without credentials or scope', async () => {
  const before = received.length
  const anonymous = await upload(
    [
      ['title', 'Deck'],
      ['file', new Blob(['x']), 'a.txt'],
    ],
    { authorization: '' },
  )
  const viewer = await upload(
    [
      ['title', 'Deck'],
      ['file', new Blob(['x']), 'a.txt'],
    ],
    {
      authorization: `Bearer ${acme.viewer.accessToken}`,
    },
  )

  assert.deepEqual([anonymous.status, viewer.status], [401, 403])
  assert.equal(received.length, before)
})

test('a client that disconnects ends the upload with an error', async () => {
  const socket = openUpload()
  const before = received.length
  socket.write(`Content-Length: 500000\r\n\r\n${partHead}${'x'.repeat(1_000)}`)
  await waitUntil(() => received.length === before + 1 && received.at(-1)!.bytes > 0)
  socket.destroy()

  await waitUntil(() => received.at(-1)!.error !== undefined)
})

test('a body that takes longer than the time of its route is cut off, and others keep their own time', async () => {
  const [slow, before] = [openUpload(), received.length]
  slow.write(`Content-Length: 500000\r\n\r\n${partHead}x`)
  slow.on('error', () => {})

  await once(slow, 'close')

  assert.equal(received.length, before + 1)
  assert.ok(received.at(-1)!.error)
  assert.ok(app.server.requestTimeout >= 300_000)
})

test('HEAD exists only where it is declared and has the headers of GET', async () => {
  const get = await send('/api/teams/test-stream', { method: 'GET' })
  const head = await send('/api/teams/test-stream', { method: 'HEAD' })
  const elsewhere = await send('/api/teams/', { method: 'HEAD' })
  const anonymous = await send('/api/teams/test-stream', { method: 'HEAD', headers: { authorization: '' } })

  assert.deepEqual([get.status, get.text], [200, '0123456789'])
  assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', '10'])
  assert.equal(head.headers['content-type'], get.headers['content-type'])
  assert.deepEqual([elsewhere.status === 200, anonymous.status], [false, 401])
})

const partHead =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n'

function openUpload(): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST /api/teams/test-upload HTTP/1.1\r\nHost: ${acme.host}\r\nAuthorization: ${headers.authorization}\r\nContent-Type: multipart/form-data; boundary=x\r\n`,
  )
  return socket
}

const writeChunk = (socket: Socket, text: string) => socket.write(`${text.length.toString(16)}\r\n${text}\r\n`)

async function firstLine(socket: Socket): Promise<string> {
  const [chunk] = await once(socket, 'data')
  socket.destroy()
  return String(chunk).split('\r\n')[0]!
}
