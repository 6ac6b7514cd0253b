import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { testRoutes } from './body-kinds.fixture.ts'

const { app, tenant } = await startTestApp({}, { routes: testRoutes })
const { manager, host } = await tenant()

async function send(url: string, body: URLSearchParams | FormData) {
  const encoded = new Response(body)
  const response = await app.inject({
    method: 'POST',
    url,
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: {
      host,
      authorization: `Bearer ${manager.accessToken}`,
      'content-type': encoded.headers.get('content-type')!,
    },
  })
  return { status: response.statusCode, body: response.json() }
}

test('a form has at most 100 fields, or as many as its route declares', async () => {
  const post = (path: string, count: number, type = 'application/x-www-form-urlencoded') => {
    const entries = Array.from({ length: count }, (_, index): [string, string] => [`f${index}`, 'x'])
    if (type === 'application/x-www-form-urlencoded') return send(path, new URLSearchParams(entries))
    const body = new FormData()
    for (const [name, value] of entries) body.append(name, value)
    return send(path, body)
  }
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
    assert.deepEqual((await post('/api/teams/test-long-form', 1_000, type)).body, { fields: 1_000 })
    const tooLong = await post('/api/teams/test-long-form', 1_001, type)
    assert.equal(tooLong.body.errors[0].message, 'The body must not have more than 1,000 fields.')
  }
  assert.equal((await post('/api/teams/test-form', 101)).body.errors[0].code, 'max_items')
  assert.notEqual((await post('/api/teams/test-form', 100)).body.errors[0].code, 'max_items')
})

test('the schema of a form names its file, which may be missing, its numbers and the size of its texts', async () => {
  const post = (entries: [string, string | Blob][]) => {
    const body = new FormData()
    for (const [name, value] of entries) body.append(name, value)
    return send('/api/teams/test-recording', body)
  }
  const codeOf = ({ status, body }: Awaited<ReturnType<typeof post>>) => [
    status,
    body.errors?.[0].path,
    body.errors?.[0].code ?? body.code,
  ]
  const sound = new Blob(['sound'])

  assert.deepEqual(
    (
      await post([
        ['sound', sound],
        ['seconds', '12.5'],
      ])
    ).body,
    { seconds: 12.5, length: 0, file: { field: 'sound', bytes: 5 } },
  )
  assert.deepEqual((await post([['text', 'ä'.repeat(100_000)]])).body, { length: 100_000, file: null })
  assert.deepEqual(codeOf(await post([['text', 'x'.repeat(100_001)]])), [422, '/text', 'maxLength'])
  assert.deepEqual(codeOf(await post([['text', 'x'.repeat(400_001)]])), [413, undefined, 'too_large'])
  assert.deepEqual(codeOf(await post([['seconds', '0.5']])), [422, '/seconds', 'minimum'])
  for (const seconds of ['one', '1e3', ' ', '0x10'])
    assert.deepEqual(codeOf(await post([['seconds', seconds]])), [422, '/seconds', 'type'])
  assert.deepEqual(codeOf(await post([['sound', 'text']])), [422, '/sound', 'type'])
  assert.deepEqual(codeOf(await post([['file', sound]])), [422, '/file', 'unexpected'])
})
