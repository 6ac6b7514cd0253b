import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { notFound } from '#platform/errors'
import type { Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import { startTestApp, waitUntil } from '#testing'
import type { RouteConfig } from '../route-config.ts'
import { assertPublicRouteDeclared } from './public-routes.ts'
import { sendPage, sendPublicPage } from './send-page.ts'

const perVisitor: RouteLimit = { name: 'visitor', limit: 3, windowSeconds: 60, per: 'network_and_token' }
const perToken: RouteLimit = { name: 'share_token', limit: 5, windowSeconds: 60, per: 'token' }
const perRecord: RouteLimit = { name: 'record', limit: 2, windowSeconds: 60, per: 'path_parameter', parameter: 'id' }
const perUser: RouteLimit = { name: 'export', limit: 2, windowSeconds: 60, per: 'user' }

const routes: Routes = async (app) => {
  const schema = { hide: true }
  app.route({
    method: ['GET', 'POST'],
    url: '/shared/:token',
    config: { public: true, tokenParam: 'token', limits: [perVisitor, perToken], cors: true },
    schema,
    handler: async ({ params }) => {
      if (!(params as { token: string }).token.startsWith('known')) throw notFound('link')
      return { ok: true }
    },
  })
  app.route({
    method: 'GET',
    url: '/records/:id/file',
    config: { public: true, limits: [perRecord] },
    schema,
    handler: async () => ({ ok: true }),
  })
  for (const [url, framing] of [
    ['/page', undefined],
    ['/embedded-page', 'any'],
  ] as const)
    app.route({
      method: 'GET',
      url,
      config: { public: true, framing },
      schema,
      handler: (request, reply) =>
        sendPage(
          request,
          reply,
          { workspace: request.tenant.name, color: null },
          { title: 'Survey', body: '<p>Hi</p>' },
        ),
    })
  app.route({
    method: 'GET',
    url: '/public-page',
    config: { public: true },
    schema,
    handler: (request, reply) =>
      sendPublicPage(
        request,
        reply,
        { workspace: '<Acme>', color: '#F26B1D' },
        { title: 'A & B', language: 'de', layout: 'survey', header: '', main: '<p>Hi</p>', footer: '' },
      ),
  })
  app.route({
    method: 'GET',
    url: '/api/auth/export',
    config: { signedIn: true, limits: [perUser] },
    schema,
    handler: async () => ({ ok: true }),
  })
}

const app = await startTestApp({ RATE_LIMIT_FACTOR: '1' }, { routes: () => routes })
app.clock.freeze()

const acme = await app.tenant()
const from = (remoteAddress: string) => acme.anonymous.with({ remoteAddress })

test('a token is limited per network and over all networks, before the database is used', async () => {
  const url = '/shared/known-1'
  const office = from('203.0.113.1')
  const statuses = []
  for (let n = 0; n < 3; n++) statuses.push((await office.get(url)).status)
  let transactions = 0
  app.services.db.pool.on('acquire', () => void transactions++)

  const tooMany = await office.get(url)
  const transactionsOfTooMany = transactions
  const otherToken = await office.get('/shared/known-2')
  const elsewhere = [await from('203.0.113.2').get(url), await from('203.0.113.3').get(url)]
  const tokenUsedUp = await from('203.0.113.4').get(url)
  const otherTenant = await (await app.tenant()).anonymous.with({ remoteAddress: '203.0.113.4' }).get(url)

  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.deepEqual([tooMany.status, tooMany.body.code, transactionsOfTooMany], [429, 'rate_limited', 0])
  assert.deepEqual([otherToken.status, ...elsewhere.map(({ status }) => status)], [200, 200, 200])
  assert.equal(tokenUsedUp.status, 429)
  assert.equal(otherTenant.status, 200)
})

test('a limit per path parameter counts the requests of all networks for one record', async () => {
  const statusFrom = async (address: string, id = '1') => (await from(address).get(`/records/${id}/file`)).status
  const used = [await statusFrom('203.0.113.21'), await statusFrom('203.0.113.22')]
  const other = await app.tenant()

  assert.deepEqual(used, [200, 200])
  assert.equal(await statusFrom('203.0.113.23'), 429)
  assert.equal(await statusFrom('203.0.113.23', '2'), 200)
  assert.equal((await other.anonymous.get('/records/1/file')).status, 200)
})

test('a network that tries unknown tokens is rejected on all routes with tokens', async () => {
  const scanner = from('198.51.100.1')
  const responses = []
  for (let n = 0; n < 20; n++) responses.push(await scanner.get(`/shared/guess-${n}`))
  await waitUntil(async () => (await scanner.get('/shared/known-3')).status === 429)
  const elsewhere = await from('198.51.100.200').get('/shared/known-3')
  const otherRoute = await scanner.get('/page')
  app.clock.advance(10 * 60)
  const later = await scanner.get('/shared/known-4')

  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([404]))
  assert.deepEqual([elsewhere.status, otherRoute.status, later.status], [200, 200, 200])
})

test('scripts of other sites may call a route with CORS and read its errors', async () => {
  const visitor = from('203.0.113.10').with({ headers: { origin: 'https://shop.example' } })

  const answered = await visitor.get('/shared/known-5')
  const unknown = await visitor.get('/shared/unknown')
  const preflight = await visitor.options('/shared/known-5')
  const other = await visitor.get('/page')

  for (const { headers } of [answered, unknown, preflight]) {
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['access-control-allow-credentials'], undefined)
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
  }
  assert.deepEqual(
    [preflight.status, preflight.headers['access-control-allow-methods'], preflight.text],
    [204, 'GET, POST', ''],
  )
  assert.equal(other.headers['access-control-allow-origin'], undefined)
  assert.equal(answered.headers['x-robots-tag'], 'noindex, nofollow')
})

test('a page without a script submits forms to its host only, and is shown in frames only if its route allows it', async () => {
  const page = await acme.anonymous.get('/page')
  const embedded = await acme.anonymous.get('/embedded-page')

  assert.match(page.headers['content-security-policy'], /form-action 'self'; frame-ancestors 'none'; img-src/)
  assert.doesNotMatch(page.headers['content-security-policy'], /script-src|connect-src/)
  assert.doesNotMatch(page.text, /<script/)
  assert.equal(page.headers['x-frame-options'], 'SAMEORIGIN')
  assert.match(embedded.headers['content-security-policy'], /frame-ancestors \*;/)
  assert.equal(embedded.headers['x-frame-options'], undefined)
})

test('a public page loads its stylesheet and fonts from the same host, and browsers keep them', async () => {
  const page = await acme.anonymous.get('/public-page')
  const url = /<link rel="stylesheet" href="([^"]+)">/.exec(page.text)![1]!
  const stylesheet = await acme.anonymous.get(url)
  const fontUrls = [...stylesheet.text.matchAll(/url\(([^)]+)\)/g)].map(([, fontUrl]) => fontUrl!)
  const fonts = await Promise.all(fontUrls.map((fontUrl) => acme.anonymous.get(fontUrl)))
  const repeated = await acme.anonymous.with({ headers: { 'if-none-match': stylesheet.headers.etag } }).get(url)
  const ofOtherVersion = await acme.anonymous.get('/assets/public.css?v=other')

  const policy = page.headers['content-security-policy']
  assert.match(policy, /^default-src 'none';.*form-action 'self'; frame-ancestors 'none';.*font-src 'self'/)
  assert.match(policy, /style-src 'self' 'sha256-[^']+'$/)
  assert.match(page.text, /<html lang="de">\n.*<title>A &amp; B – &lt;Acme&gt;<\/title>/s)
  assert.match(page.text, /<style>:root\{--brand:#f26b1d;[^<]+@media \(prefers-color-scheme:dark\)/)
  assert.doesNotMatch(page.text, /<script| style="/)
  assert.match(stylesheet.headers['content-type'], /^text\/css/)
  assert.match(stylesheet.headers['cache-control'], /immutable/)
  assert.equal(repeated.status, 304)
  assert.deepEqual(
    [ofOtherVersion.text, ofOtherVersion.headers['cache-control']],
    [stylesheet.text, 'public, max-age=300'],
  )
  assert.deepEqual(
    fonts.map(({ status, headers }) => [status, headers['content-type'], headers['content-encoding']]),
    fonts.map(() => [200, 'font/woff2', undefined]),
  )
  assert.equal(fonts.length, 2)
  assert.doesNotMatch(stylesheet.text, /https?:/)
})

test('a limit per user counts the requests of that user', async () => {
  const url = '/api/auth/export'
  const statuses = []
  for (let n = 0; n < 3; n++) statuses.push((await acme.member.get(url)).status)
  const colleague = await acme.manager.get(url)

  assert.deepEqual([...statuses, colleague.status], [200, 200, 429, 200])
})

test('routes with an incomplete declaration are rejected at startup', () => {
  const declare = (config: RouteConfig, url = '/shared/:token') => {
    const fastify = Fastify()
    fastify.addHook('onRoute', assertPublicRouteDeclared)
    fastify.get(url, { config }, async () => ({}))
  }

  assert.throws(() => declare({ public: true, tokenParam: 'token' }), /a limit per token/)
  assert.throws(() => declare({ public: true, limits: [perToken] }), /config.tokenParam/)
  assert.throws(() => declare({ public: true, tokenParam: 'key', limits: [perToken] }), /no path parameter key/)
  assert.throws(() => declare({ signedIn: true, cors: true }), /config.public/)
  assert.throws(() => declare({ public: true, optionalAuth: true, cors: true }), /credentials/)
  assert.doesNotThrow(() => declare({ public: true, tokenParam: 'token', limits: [perToken] }))
})
