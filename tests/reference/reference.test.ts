import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { catalogue } from '#platform/errors'
import { startTestApp } from '#testing'
import { startBrowser } from './browser.ts'

const { app, client } = await startTestApp()
await app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const browser = await startBrowser()
const anybody = client({ host: 'not-a-workspace.example' })

const tellRefusals = `document.addEventListener('securitypolicyviolation', (refusal) =>
  console.error('the policy refused', refusal.violatedDirective, refusal.blockedURI))`

/** A page that remembers whom it asked and what it complained of. */
async function openPage(path: string) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
  const asked: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  await page.addInitScript(tellRefusals)
  await page.goto(`${origin}${path}`)
  return { page, asked, complaints }
}

const elsewhere = (urls: string[]) => urls.filter((url) => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url))

test('the reference shows the operations and asks nobody but this server', async () => {
  const { page, asked, complaints } = await openPage('/reference')

  await page.getByRole('heading', { name: 'Your first call' }).waitFor()
  // Operations are drawn once somebody gets near them.
  await page.getByRole('heading', { name: 'Authentication', exact: true }).scrollIntoViewIfNeeded()
  await page.getByRole('heading', { name: 'Make an API key' }).waitFor()
  await page.waitForTimeout(1_000)

  assert.ok(asked.some((url) => url.startsWith(`${origin}/reference/scalar.js?v=`)))
  assert.ok(asked.includes(`${origin}/api/openapi.json`))
  assert.deepEqual(elsewhere(asked), [])
  assert.deepEqual(complaints, [])
})

test('a call made from the reference goes to this server and to no one in between', async () => {
  const { page, asked, complaints } = await openPage('/reference#tag/health/GET/health')

  await page.getByRole('button', { name: 'Test Request (get /health)' }).click()
  await page.getByRole('button', { name: 'Send Request' }).first().click()
  await page.getByText('200 OK').first().waitFor()

  assert.ok(asked.includes(`${origin}/health`), asked.join('\n'))
  assert.deepEqual(elsewhere(asked), [])
  assert.deepEqual(complaints, [])
})

test('the page of an error says what to do, in its own style and without a script', async () => {
  const { page, asked, complaints } = await openPage('/reference/errors/token_expired')

  const text = await page.locator('body').textContent()
  const width = await page.evaluate('getComputedStyle(document.body).maxWidth')

  assert.match(text ?? '', /What to do: Get a new access token/)
  assert.equal(width, '640px')
  assert.deepEqual(asked, [`${origin}/reference/errors/token_expired`])
  assert.deepEqual(complaints, [])
})

test('the reference has a policy of its own, and everything else keeps the strict one', async () => {
  const reference = await anybody.get('/reference')
  const elsewhere = await anybody.get('/health')

  const policy = reference.headers['content-security-policy']
  assert.equal(reference.status, 200)
  assert.match(reference.headers['content-type'], /^text\/html/)
  assert.match(policy, /default-src 'none'.*script-src 'self';/)
  assert.doesNotMatch(policy, /script-src[^;]*unsafe|https?:/)
  assert.equal(elsewhere.headers['content-security-policy'], "default-src 'none';frame-ancestors 'none'")
})

test('the script of the reference is kept forever under its hash, and only under that', async () => {
  const page = await anybody.get('/reference')
  const url = /src="([^"]+)"/.exec(page.text)![1]!

  const hashed = await anybody.get(url)
  const bare = await anybody.get('/reference/scalar.js')
  const again = await anybody.get('/reference/scalar.js', { 'if-none-match': bare.headers.etag })

  assert.match(hashed.headers['cache-control'], /immutable/)
  assert.equal(bare.headers['cache-control'], 'public, max-age=300')
  assert.equal(again.status, 304)
  assert.equal(again.text, '')
})

test('the machine description is the one the routes make, and whoever has it is told so', async () => {
  const answer = await anybody.get('/api/openapi.json')
  const again = await anybody.get('/api/openapi.json', { 'if-none-match': answer.headers.etag })

  assert.equal(answer.status, 200)
  assert.equal(answer.body.openapi, '3.1.0')
  assert.equal(answer.body.info.version, '1.0.0')
  assert.deepEqual(answer.body, JSON.parse(JSON.stringify(app.swagger())))
  assert.equal(answer.headers['cache-control'], 'public, max-age=300')
  assert.equal(again.status, 304)
})

test('what is large travels packed to those who can unpack it', async () => {
  const plain = await app.inject({ url: '/api/openapi.json', headers: { host: 'x.example' } })
  const headers = { host: 'x.example', 'accept-encoding': 'br, gzip' }

  const packed = await app.inject({ url: '/api/openapi.json', headers })
  const unwanted = await app.inject({
    url: '/api/openapi.json',
    headers: { ...headers, 'accept-encoding': 'gzip;q=0' },
  })

  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.equal(packed.headers.vary, 'accept-encoding')
  assert.equal(gunzipSync(packed.rawPayload).toString(), plain.body)
  assert.equal(unwanted.headers['content-encoding'], undefined)
})

test('every error code has its page, and the type of a problem leads to it', async () => {
  const problem = await anybody.get('/api/users/')

  for (const code of Object.keys(catalogue)) {
    const page = await anybody.get(`/reference/errors/${code}`)
    assert.equal(page.status, 200, code)
    assert.ok(page.text.includes(`<code>${code}</code>`))
  }
  assert.equal(problem.body.type, '/reference/errors/tenant_not_found')
  assert.equal((await anybody.get('/reference/errors/no_such_code')).status, 404)
  assert.equal((await anybody.get('/reference/errors/constructor')).status, 404)
  assert.equal((await anybody.get('/reference/errors/%3Cscript%3E')).status, 422)
})
