import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { notFound } from '#platform/errors'
import { choosePageLanguage, choosePageLocale, loadPublicAssets, renderPublicPage } from '#platform/html'
import type { RouteLimit } from '#platform/limits'
import { startTestApp, waitUntil } from '#testing'
import type { Routes } from '../index.ts'
import type { RouteConfig } from '../route-config.ts'
import { assertPublicRouteDeclared } from './public-routes.ts'
import { sendPublicPage } from './send-page.ts'

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
        sendPublicPage(
          request,
          reply,
          { workspace: request.tenant.name, color: null },
          { title: 'Survey', language: 'en', layout: 'survey', header: '', main: '<p>Hi</p>', footer: '' },
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
  assert.match(page.text, /<html lang="de" data-theme="auto">\n.*<title>A &amp; B – &lt;Acme&gt;<\/title>/s)
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

test('a page is in a language that the browser accepts, otherwise in English', () => {
  const expected: [header: string | undefined, language: string][] = [
    [undefined, 'en'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['nl, pt-BR;q=0.5, fr;q=0.7', 'fr'],
    ['es;q=0, *', 'en'],
    ['x'.repeat(10_000), 'en'],
  ]

  assert.deepEqual(
    expected.map(([header]) => choosePageLanguage(header)),
    expected.map(([, language]) => language),
  )
  assert.deepEqual(['en-US;q=0.8, de-AT, de', 'en, en-GB;q=0.9', 'fr-x-nothing, fr'].map(choosePageLocale), [
    'de-AT',
    'en-GB',
    'fr',
  ])
})

test('a page has the colors of its theme, and a page without one follows the system', () => {
  const page = { title: 'A', language: 'en', layout: 'card-page', header: '', main: '', footer: '' } as const
  const render = (mode?: 'light' | 'dark') =>
    renderPublicPage({ workspace: 'Acme', color: '#0e7a57', mode }, page, { stylesheetUrl: '/x' }).html
  const [light, dark, auto] = [render('light'), render('dark'), render()]
  const stylesheet = loadPublicAssets().stylesheet.content.toString()

  assert.match(light, /data-theme="light".*--brand-text:#067754(?!.*@media)/s)
  assert.match(dark, /data-theme="dark".*--brand-text:#52ae88(?!.*@media)/s)
  assert.match(auto, /data-theme="auto".*--brand-text:#067754.*@media.*--brand-text:#52ae88/s)
  assert.match(stylesheet, /@media \(prefers-color-scheme: dark\) \{\n\[data-theme="auto"\] \{\n {2}--canvas: #0b0c0f;/)
})

const browser = (address: string, language = 'en') =>
  from(address).with({
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': language },
  })
const headingOf = (html: string) => /<h1[^>]*>([^<]+)<\/h1>/.exec(html)?.[1]

test('a browser gets errors as pages, and programs get problem details', async () => {
  const visitor = browser('203.0.113.30')
  const elsewhere = app.client({ host: 'unknown.tributary.test' }).with({ headers: { accept: 'text/html' } })

  const missing = await visitor.get('/signup')
  const unknownHost = await elsewhere.get('/login')
  const unknownToken = await visitor.get('/shared/unknown')
  const ofProgram = await from('203.0.113.30').get('/signup')
  const ofApi = await visitor.get('/api/nothing')
  const ofScript = await visitor.get('/pages/nothing.js')

  assert.deepEqual(
    [missing, unknownHost, unknownToken].map(({ status, text }) => [status, headingOf(text)]),
    [
      [404, 'This page does not exist'],
      [404, 'There is no workspace here'],
      [404, 'This page does not exist'],
    ],
  )
  assert.match(missing.headers['content-type'], /^text\/html/)
  assert.match(missing.headers['content-security-policy'], /^default-src 'none'.*style-src 'self' 'sha256-/)
  assert.match(missing.text, /<a class="button wide" href="\/">Go to the start page<\/a>/)
  assert.doesNotMatch(unknownHost.text, /href="\/"/)
  assert.match(unknownToken.text, new RegExp(`– ${acme.name}</title>`))
  for (const { headers } of [ofProgram, ofApi, ofScript])
    assert.match(headers['content-type'], /^application\/problem\+json/)
})

test('a browser that has sent too many requests is told in its language when to try again', async () => {
  const visitor = browser('203.0.113.31', 'de-DE,de;q=0.9')
  for (let n = 0; n < 3; n++) await visitor.get('/shared/known-6')

  const rejected = await visitor.get('/shared/known-6')

  assert.deepEqual([rejected.status, headingOf(rejected.text)], [429, 'Zu viele Anfragen'])
  assert.match(rejected.text, /<html lang="de".*Versuchen Sie es in (\d+ Sekunden|1 Minute) noch einmal\./s)
  assert.ok(Number(rejected.headers['retry-after']) > 0)
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
