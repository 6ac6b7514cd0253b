import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startTestApp } from '#testing'
import { startBrowser } from './browser.ts'

const { app, client, services } = await startTestApp()
await app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const browser = await startBrowser()
const webhookCount = services.registry.modules.flatMap(({ events }) => events).length
const anonymous = client({ host: 'not-a-workspace.example' })

const reportViolations = `document.addEventListener('securitypolicyviolation', (violation) =>
  console.error('policy violation', violation.violatedDirective, violation.blockedURI))`

/** Opens a page that records its requests and its errors. */
async function openPage(path: string) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
  // The script of the reference blocks the page for a long time on a busy machine.
  page.setDefaultTimeout(120_000)
  const requests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text())
  })
  await page.addInitScript(reportViolations)
  await page.goto(`${origin}${path}`)
  return { page, requests, errors }
}

const toOtherServers = (urls: string[]) =>
  urls.filter((url) => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url))

test('the reference is readable without a script and links every operation', async () => {
  const { page, requests, errors } = await openPage('/reference')
  const documented = Object.values(app.swagger().paths ?? {}).flatMap((methods) => Object.keys(methods!))

  await page.getByRole('heading', { name: 'Your first call' }).waitFor()
  const links = await page.locator('td a[href^="/reference/tags/"]').count()
  const text = (await page.locator('body').textContent()) ?? ''
  await page.close()

  assert.deepEqual(requests, [`${origin}/reference`])
  assert.deepEqual(errors, [])
  assert.equal(links, documented.length + webhookCount)
  assert.ok(
    text.includes(`curl ${services.config.APP_SCHEME}://${new URL(origin).host}/api/auth/login`),
    text.slice(0, 2_000),
  )
})

test('scope names in the tables of the reference do not break inside a word', async () => {
  const page = await browser.newPage({ viewport: { width: 600, height: 800 } })
  await page.goto(`${origin}/reference`)

  const heights = await page
    .locator('td code')
    .evaluateAll((cells) => cells.map((cell) => cell.getClientRects().length))

  assert.ok(heights.length > 100)
  assert.ok(heights.every((lines) => lines === 1))
  await page.close()
})

async function showOperation(tag: string, hash = '') {
  return await openPage(`/reference/tags/${tag}${hash}`)
}

test('the page of a resource shows its operations and webhooks, and sends requests to this server only', async () => {
  const { page, requests, errors } = await showOperation('teams', '#tag/teams/POST/api/teams/')

  await page.getByRole('heading', { name: 'Create a team' }).waitFor()
  await page.goto(`${origin}/reference/tags/teams#tag/events/webhook/POST/team.created`)
  await page.getByRole('heading', { name: 'A team was created' }).scrollIntoViewIfNeeded()
  await page.getByText('"type":"team.created"').first().waitFor({ state: 'attached' })
  await page.close()

  assert.ok(requests.some((url) => url.startsWith(`${origin}/reference/scalar.js?v=`)))
  assert.ok(requests.includes(`${origin}/reference/tags/teams/openapi.json`))
  assert.deepEqual(toOtherServers(requests), [])
  assert.deepEqual(errors, [])
})

test('the document of a resource has its operations with everything they refer to, and nothing else', async () => {
  const whole = await anonymous.get('/api/openapi.json')
  const { body, text } = await anonymous.get('/reference/tags/leads/openapi.json')

  const tags = new Set(
    Object.values<object>(body.paths).flatMap((methods) => Object.values(methods).flatMap((one) => one.tags)),
  )
  const missing = [...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)].filter(
    ([, kind, name]) => !body.components[kind!]?.[name!],
  )
  assert.deepEqual([...tags], ['leads'])
  assert.deepEqual(missing, [])
  assert.deepEqual(body.components.schemas.Lead, whole.body.components.schemas.Lead)
  assert.equal(body.components.schemas.Survey, undefined)
  assert.ok(Object.keys(body.webhooks).includes('lead.created'))
  assert.ok(text.length < whole.text.length / 4, `${text.length} of ${whole.text.length} characters`)
  assert.equal((await anonymous.get('/reference/tags/no_such_tag')).status, 404)
  assert.equal((await anonymous.get('/reference/tags/no_such_tag/openapi.json')).status, 404)
})

test('the page of webhook events links each event on the page of its resource', async () => {
  const { page, requests, errors } = await openPage('/reference/tags/events')

  const links = await page.locator('td a[href*="#tag/events/webhook/POST/"]').count()
  await page.getByRole('link', { name: 'A team was created' }).click()
  await page.getByRole('heading', { name: 'A team was created' }).waitFor()
  const url = page.url()
  await page.close()

  assert.equal(links, webhookCount)
  assert.ok(url.startsWith(`${origin}/reference/tags/teams#tag/events/webhook/`), url)
  assert.deepEqual([toOtherServers(requests), errors], [[], []])
  assert.equal((await anonymous.get('/reference/tags/events/openapi.json')).status, 404)
})

test('every page of the reference with its document has at most 500 kB', async () => {
  const { body } = await anonymous.get('/api/openapi.json')
  const sizeOf = async (url: string) => Buffer.byteLength((await anonymous.get(url)).text)
  const sizes = new Map([['/reference', await sizeOf('/reference')]])
  for (const { name } of body.tags) {
    const url = `/reference/tags/${name}`
    // The page of webhook events has no document, so this is the size of a problem.
    sizes.set(url, (await sizeOf(url)) + (await sizeOf(`${url}/openapi.json`)))
  }

  const tooLarge = [...sizes].filter(([, size]) => size > 500_000)

  assert.ok(sizes.size > 30, `${sizes.size} pages`)
  assert.deepEqual(tooLarge, [], 'Split the largest resource, or shorten its examples.')
})

test('a test request from the reference goes to this server without a proxy', async () => {
  const { page, requests, errors } = await showOperation('health', '#tag/health/GET/health')

  await page.getByRole('button', { name: 'Test Request (get /health)' }).click()
  await page.getByRole('button', { name: 'Send Request' }).first().click()
  await page.getByText('200 OK').first().waitFor()
  await page.close()

  assert.ok(requests.includes(`${origin}/health`), requests.join('\n'))
  assert.deepEqual(toOtherServers(requests), [])
  assert.deepEqual(errors, [])
})

test('the page of an error says what to do, with its own style and without a script', async () => {
  const { page, requests, errors } = await openPage('/reference/errors/token_expired')

  const text = await page.locator('body').textContent()
  const width = await page.evaluate('getComputedStyle(document.body).maxWidth')

  assert.match(text ?? '', /What to do: Get a new access token/)
  assert.equal(width, '640px')
  assert.deepEqual(requests, [`${origin}/reference/errors/token_expired`])
  assert.deepEqual(errors, [])
})

test('the reference has its own content security policy, everything else the strict one', async () => {
  const page = await anonymous.get('/reference/tags/leads')
  const health = await anonymous.get('/health')

  const policy = page.headers['content-security-policy']
  assert.equal(page.status, 200)
  assert.match(page.headers['content-type'], /^text\/html/)
  assert.match(policy, /default-src 'none'.*script-src 'self';/)
  assert.doesNotMatch(policy, /script-src[^;]*unsafe|https?:/)
  assert.equal(health.headers['content-security-policy'], "default-src 'none';frame-ancestors 'none'")
})

test('the reference script is compressed, and cached forever only with its hash', async () => {
  const page = await anonymous.get('/reference/tags/leads')
  const url = /src="([^"]+)"/.exec(page.text)![1]!

  const hashed = await anonymous.get(url)
  const bare = await anonymous.get('/reference/scalar.js')
  const again = await anonymous.get('/reference/scalar.js', { 'if-none-match': bare.headers.etag })
  const compressed = await app.inject({ url, headers: { host: 'x.example', 'accept-encoding': 'gzip' } })

  assert.match(hashed.headers['cache-control'], /immutable/)
  assert.equal(compressed.headers['content-encoding'], 'gzip')
  assert.ok(compressed.rawPayload.length < 1_600_000, `${compressed.rawPayload.length} bytes`)
  assert.equal(bare.headers['cache-control'], 'public, max-age=300')
  assert.equal(again.status, 304)
  assert.equal(again.text, '')
})

test('the OpenAPI document is the one that the routes describe and supports If-None-Match', async () => {
  const response = await anonymous.get('/api/openapi.json')
  const again = await anonymous.get('/api/openapi.json', { 'if-none-match': response.headers.etag })

  assert.equal(response.status, 200)
  assert.equal(response.body.openapi, '3.1.0')
  assert.equal(response.body.info.version, '1.0.0')
  assert.deepEqual(response.body, JSON.parse(JSON.stringify(app.swagger())))
  assert.equal(response.headers['cache-control'], 'public, max-age=300')
  assert.equal(again.status, 304)
})

test('large files are compressed for clients that accept gzip', async () => {
  const plain = await app.inject({ url: '/api/openapi.json', headers: { host: 'x.example' } })
  const headers = { host: 'x.example', 'accept-encoding': 'br, gzip' }

  const compressed = await app.inject({ url: '/api/openapi.json', headers })
  const unwanted = await app.inject({
    url: '/api/openapi.json',
    headers: { ...headers, 'accept-encoding': 'gzip;q=0' },
  })

  assert.equal(compressed.headers['content-encoding'], 'gzip')
  assert.equal(compressed.headers.vary, 'accept-encoding')
  assert.equal(gunzipSync(compressed.rawPayload).toString(), plain.body)
  assert.equal(unwanted.headers['content-encoding'], undefined)
})

test('every error code has a page, and the type of a problem is its URL', async () => {
  const problem = await anonymous.get('/api/users/')

  for (const code of Object.keys(services.registry.errors)) {
    const page = await anonymous.get(`/reference/errors/${code}`)
    assert.equal(page.status, 200, code)
    assert.ok(page.text.includes(`<code>${code}</code>`))
  }
  assert.equal(problem.body.type, '/reference/errors/tenant_not_found')
  assert.equal((await anonymous.get('/reference/errors/no_such_code')).status, 404)
  assert.equal((await anonymous.get('/reference/errors/constructor')).status, 404)
  assert.equal((await anonymous.get('/reference/errors/%3Cscript%3E')).status, 422)
})
