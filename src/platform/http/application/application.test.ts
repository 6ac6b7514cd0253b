import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { startTestApp } from '#testing'
import { findBuildProblem, readApplicationFiles } from './application-files.ts'

const page = '<!doctype html><script type="module" src="/assets/main-abc.js"></script>'
const script = 'console.log("main")'
const folder = await mkdtemp(join(tmpdir(), 'tributary-web-'))
await mkdir(join(folder, 'assets'))
await Promise.all([
  writeFile(join(folder, 'index.html'), page),
  writeFile(join(folder, 'version.txt'), '1.2.0'),
  writeFile(join(folder, 'assets/main-abc.js'), script),
  writeFile(join(folder, 'assets/main-abc.js.br'), brotliCompressSync(script)),
  writeFile(join(folder, 'assets/main-abc.js.gz'), gzipSync(script)),
  writeFile(join(folder, 'assets/inter-abc.woff2'), 'font'),
  writeFile(join(folder, 'assets/main-abc.js.map'), '{}'),
])
after(() => rm(folder, { recursive: true }))
const { app, tenant } = await startTestApp({ WEB_FILES: folder, RATE_LIMIT_FACTOR: '1' })
const apiOnly = await startTestApp()

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('a browser gets the application for every path that no route has', async () => {
  const { anonymous } = await tenant()

  for (const path of ['/', '/leads?open=1', '/rooms/42', '/settings/sample-data', '/healthy', '/api-docs']) {
    const { status, headers, text } = await anonymous.get(path, html)

    assert.equal(status, 200, path)
    assert.match(headers['content-type'], /^text\/html/)
    assert.equal(text, page)
  }
})

test('a program that accepts everything gets the start page', async () => {
  const { anonymous } = await tenant()

  const responses = await Promise.all([
    anonymous.get('/'),
    anonymous.get('/', { accept: '*/*' }),
    anonymous.get('/?utm_source=mail', { accept: '*/*' }),
  ])
  const asJson = await anonymous.get('/', { accept: 'application/json' })

  for (const { status, text } of responses) assert.deepEqual([status, text], [200, page])
  assert.equal(asJson.status, 404)
})

test('the API reports files that are missing or of another version', async () => {
  const files = await readApplicationFiles(folder)
  const missing = await readApplicationFiles(join(folder, 'assets'))

  assert.equal(findBuildProblem(files, '1.2.0'), undefined)
  assert.match(findBuildProblem(files, '1.3.0')!, /not of version 1\.3\.0/)
  assert.match(findBuildProblem({ ...files!, version: null }, '1.2.0')!, /not of version 1\.2\.0/)
  assert.match(findBuildProblem(missing, '1.2.0')!, /is not built/)
})

test('programs and paths of the API keep their error responses', async () => {
  const { anonymous } = await tenant()

  const asProgram = await anonymous.get('/leads', { accept: 'application/json' })
  const withoutAccept = await anonymous.get('/leads')
  const posted = await anonymous.post('/leads', {}, html)
  const others = ['/api/nothing', '/reference/nothing', '/pages/nothing.js', '/assets/nothing.js', '/health/nothing']
  const found = await Promise.all(others.map((path) => anonymous.get(path, html)))

  assert.match(asProgram.headers['content-type'], /^application\/problem\+json/)
  assert.deepEqual(
    [asProgram, withoutAccept, posted, ...found].map(({ status }) => status),
    Array(8).fill(404),
  )
  assert.ok(found.every(({ text }) => text !== page))
})

test('the page blocks code and connections of other origins and is checked for changes', async () => {
  const { anonymous } = await tenant()

  const { headers } = await anonymous.get('/', html)
  const unchanged = await anonymous.get('/', { ...html, 'if-none-match': headers.etag })

  const policy = headers['content-security-policy']
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; /)
  assert.match(policy, /connect-src 'self'; .*require-trusted-types-for 'script'; trusted-types server-html$/)
  assert.doesNotMatch(policy, /unsafe|nonce|https?:/)
  assert.equal(headers['permissions-policy'], 'camera=(self), microphone=(self), display-capture=(self)')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
  assert.equal(headers['cache-control'], 'no-cache')
  assert.deepEqual([unchanged.status, unchanged.text], [304, ''])
})

test('the page and the current user name the revision of the application', async () => {
  const { member, anonymous } = await tenant()

  const { headers } = await anonymous.get('/', html)
  const me = await member.get('/api/auth/me')

  assert.match(headers['x-app-revision'], /^[0-9a-f]{12}$/)
  assert.equal(me.headers['x-app-revision'], headers['x-app-revision'])
})

test('files are compressed as the browser accepts it, and kept for a year', async () => {
  const { host } = await tenant()
  const get = (encoding: string, file = 'main-abc.js') =>
    app.inject({ url: `/assets/${file}`, headers: { host, 'accept-encoding': encoding } })

  const brotli = await get('gzip, deflate, br')
  const gzip = await get('gzip, br;q=0')
  const plain = await get('identity')
  const font = await get('gzip, br', 'inter-abc.woff2')
  const map = await get('identity', 'main-abc.js.map')

  assert.equal(brotli.headers['content-encoding'], 'br')
  assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), script)
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(gzip.rawPayload).toString(), script)
  assert.equal(plain.body, script)
  assert.deepEqual([font.headers['content-type'], font.headers['content-encoding']], ['font/woff2', undefined])
  assert.equal(map.statusCode, 404)
  for (const { headers } of [brotli, gzip, plain, font]) {
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers.vary, 'accept-encoding')
  }
})

test('the page and its files are not counted by rate limits', async () => {
  const { anonymous } = await tenant()
  const client = anonymous.with({ remoteAddress: '203.0.113.77' })
  const statuses = new Set<number>()

  for (let n = 0; n < 700; n++) {
    statuses.add((await client.get('/assets/main-abc.js')).status)
    statuses.add((await client.get('/leads', html)).status)
  }

  assert.deepEqual(statuses, new Set([200]))
  assert.equal((await client.get('/api/auth/sso/providers')).status, 200)
})

test('without a built application the API is served alone', async () => {
  const { anonymous, member } = await apiOnly.tenant()

  const start = await anonymous.get('/', html)
  const leads = await anonymous.get('/leads', html)
  const me = await member.get('/api/auth/me')

  assert.match(start.text, /npm run build -w web/)
  assert.equal(leads.status, 404)
  assert.equal(me.headers['x-app-revision'], undefined)
})
