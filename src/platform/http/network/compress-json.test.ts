import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startTestApp } from '#testing'

const { app, tenant } = await startTestApp()

test('lists are compressed for clients that accept it; short responses and those with tokens are not', async () => {
  const acme = await tenant()
  for (let n = 0; n < 10; n++) await acme.manager.post('/api/teams/', { name: `Team ${n}` })
  const headers = { host: acme.host, authorization: `Bearer ${acme.member.accessToken}` }
  const get = (url: string, encoding?: string) =>
    app.inject({ url, headers: { ...headers, ...(encoding && { 'accept-encoding': encoding }) } })

  const plain = await get('/api/teams/')
  const compressed = await get('/api/teams/', 'gzip, br')
  const refused = await get('/api/teams/', 'gzip;q=0')
  const short = await get('/api/teams/?limit=1', 'gzip')
  const me = await get('/api/auth/me', 'gzip')

  assert.ok(plain.body.length > 1_024)
  assert.equal(compressed.headers['content-encoding'], 'gzip')
  assert.ok(compressed.rawPayload.length < plain.body.length / 2)
  assert.equal(Number(compressed.headers['content-length']), compressed.rawPayload.length)
  assert.deepEqual(JSON.parse(gunzipSync(compressed.rawPayload).toString()), plain.json())
  for (const response of [plain, refused, short, me]) assert.equal(response.headers['content-encoding'], undefined)
  assert.deepEqual([plain.headers.vary, compressed.headers.vary], ['accept-encoding', 'accept-encoding'])
})
