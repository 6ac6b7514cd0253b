import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const app = await startTestApp()
const url = '/api/admin/architecture'
type Module = Record<string, string[]> & { name: string; routes: { method: string; path: string; scope: string }[] }

test('the architecture lists every module with its tables, routes, jobs and events', async () => {
  const { admin } = await app.tenant()

  const { status, body } = await admin.get(url)

  assert.equal(status, 200)
  const byName = new Map<string, Module>(body.modules.map((module: Module) => [module.name, module]))
  assert.deepEqual(
    [...byName.keys()],
    app.services.registry.modules.map(({ name }) => name),
  )
  const crm = byName.get('crm')!
  assert.ok(crm.tables!.includes('crm.leads') && crm.jobs!.includes('crm.check_sla'))
  assert.ok(crm.events_emitted!.includes('lead.created') && crm.depends_on!.includes('identity'))
  assert.ok(crm.events_consumed!.includes('settings.updated') && crm.schedules!.length > 0)
  const { path, scope } = crm.routes.find(({ method, path }) => method === 'PATCH' && path.startsWith('/api/leads'))!
  assert.deepEqual([path, scope], ['/api/leads/{lead_id}', 'leads.write'])
})

test('the routes are those of the OpenAPI document', async () => {
  const { admin } = await app.tenant()
  const { body } = await admin.get(url)
  const documented = Object.entries(app.app.swagger().paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  )

  const listed = body.modules.flatMap(({ routes }: Module) => routes.map(({ method, path }) => `${method} ${path}`))

  const ofPlatform = documented.filter((route) => / \/(reference|api\/openapi)/.test(route))
  assert.deepEqual([...listed, ...ofPlatform].toSorted(), documented.toSorted())
  assert.equal(body.counts.routes, listed.length)
})

test('the document is Markdown with a diagram, or an HTML page', async () => {
  const { admin, name } = await app.tenant()

  const markdown = await admin.get(`${url}/document`)
  const html = await admin.get(`${url}/document`, { accept: 'text/html,*/*' })

  assert.match(markdown.headers['content-type'], /^text\/markdown/)
  assert.match(markdown.text, /```mermaid\ngraph TD\n[^`]* {2}crm --> identity/)
  assert.match(markdown.text, /\| PATCH \| \/api\/leads\/\{lead_id\} \| leads\.write \|/)
  assert.match(html.headers['content-type'], /^text\/html/)
  assert.match(html.text, /<td>\/api\/leads\/\{lead_id\}<\/td>/)
  assert.ok(html.text.includes(`</span>${name}</span>`))
  assert.match(html.headers['content-security-policy'], /^default-src 'none'/)
})

test('the architecture contains no connection details', async () => {
  const { admin } = await app.tenant()
  const { config } = app.services
  const values = [config.DATABASE_URL, config.STORAGE_URL, config.SMTP_URL, config.SIGNING_KEYS, config.SECRETS_KEYS]

  const text = JSON.stringify((await admin.get(url)).body) + (await admin.get(`${url}/document`)).text

  for (const value of values) assert.ok(value && !text.includes(value))
  assert.doesNotMatch(text, /127\.0\.0\.1|localhost|:\/\//)
})
