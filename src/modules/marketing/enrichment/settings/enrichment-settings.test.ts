import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryWhenBusy } from '#testing'
import { hostileUrls } from '../../../../platform/egress/hostile-targets.stand-in.ts'
import { offline, settingsUrl, startEnrichmentApp, startProvider } from '../enrichment.fixture.ts'

const { tenant, putSettings, addLead, enrich, dispatch } = await startEnrichmentApp()
const strict = await startEnrichmentApp({})
const people = await startProvider('people', { title: 'CTO' })
const other = await startProvider('people', { title: 'CEO' })
const [acmeOfPolicy, acmeOfStrict] = [await tenant(), await strict.tenant()]
const secret = 'Bearer hush-hush-4711'
const problems = ({ body }: { body: { errors: { path: string; code: string }[] } }) =>
  body.errors.map(({ path, code }) => `${path} ${code}`)
const http = (config: object, provider: object = {}) => ({
  key: 'people',
  kind: 'http',
  ...provider,
  config: { url: 'https://93.184.216.34/', mapping: { title: '/title' }, ...config },
})

test('a workspace has default settings that managers can read', async () => {
  const { status, headers, body } = await acmeOfPolicy.manager.get(settingsUrl)

  assert.deepEqual([status, headers.etag], [200, '"1"'])
  assert.ok(body.fields.length > 15 && !body.fields.includes('email'))
  assert.deepEqual(
    { ...body, fields: [] },
    {
      version: 1,
      enabled: true,
      auto_on_create: false,
      overwrite_policy: 'own_values',
      min_confidence: 0.5,
      refresh_after_days: 180,
      monthly_credit_limit: 1_000,
      fields: [],
      providers: [{ key: 'offline', kind: 'offline', enabled: true, position: 0, config: null, has_secret: false }],
      usage: { month: new Date().toISOString().slice(0, 7), credits_used: 0 },
    },
  )
})

test('crm-8-11 a secret is never shown, neither in settings nor in the audit log, events or jobs', async () => {
  const acme = await tenant()

  const saved = await putSettings(acme, { providers: [{ ...people.settings, secret }] })
  const read = await acme.manager.get(settingsUrl)
  const all = await acme.admin.get('/api/admin/settings')

  assert.deepEqual([saved.providers[0].has_secret, read.body.providers[0].has_secret], [true, true])
  for (const body of [saved, read.body, all.body]) assert.ok(!JSON.stringify(body).includes('hush'))
  assert.ok(!('secret' in saved.providers[0]))
  const { id } = await addLead(acme, { email: 'jane.doe@acme.com' })
  await enrich(acme, id)
  await dispatch(acme)
  assert.equal(people.received.at(-1)!.headers.authorization, secret)
  const { rows } = await acme.sql(
    `select (select string_agg(a::text, '') from platform.audit_log a where tenant_id = $1) as audit,
       (select string_agg(e::text, '') from platform.outbox_events e where tenant_id = $1) as events,
       (select string_agg(j::text, '') from marketing.enrichment_jobs j where tenant_id = $1) as jobs,
       (select string_agg(s::text, '') from identity.tenant_settings s where tenant_id = $1) as settings`,
    [acme.id],
  )
  assert.ok(rows[0].audit.includes('new value'))
  for (const text of Object.values(rows[0])) assert.ok(!String(text).includes('hush'))
})

test('a secret is kept, replaced and deleted as the request says', async () => {
  const acme = await tenant()
  const put = async (provider: object) =>
    (await putSettings(acme, { providers: [offline, provider] })).providers[1].has_secret

  assert.equal(await put({ ...people.settings, secret }), true)
  assert.equal(await put({ ...people.settings, position: 5 }), true)
  assert.equal(await put({ ...people.settings, secret: null }), false)
  assert.equal(await put({ ...people.settings, secret }), true)
  await putSettings(acme, {})
  assert.equal(await put(people.settings), false)
})

test('a secret is deleted when the host changes, whichever way, unless it is sent again', async () => {
  const acme = await tenant()
  const moved = { ...people.settings, config: other.settings.config }
  const put = async (provider: object) => (await putSettings(acme, { providers: [provider] })).providers[0].has_secret

  await put({ ...people.settings, secret })
  assert.equal(await put(moved), false)
  assert.equal(await put(people.settings), false)
  assert.equal(await put({ ...moved, secret }), true)
  const patched = await acme.admin.patch('/api/admin/settings', { enrichment: { providers: [people.settings] } })
  assert.equal(patched.status, 200)
  assert.equal((await acme.admin.get(settingsUrl)).body.providers[0].has_secret, false)
  const { rows } = await acme.sql(
    `select name from identity.tenant_secrets where tenant_id = $1 and name like 'enrichment%'`,
    [acme.id],
  )
  assert.deepEqual(rows, [])
})

test('a changed secret is a change with a new version, an event and an audit entry', async () => {
  const acme = await tenant()
  const first = await putSettings(acme, { providers: [{ ...people.settings, secret }] })

  const same = await putSettings(acme, { providers: [people.settings] })
  const second = await putSettings(acme, { providers: [{ ...people.settings, secret: 'other' }] })
  const stale = await acme.admin.put(settingsUrl, {}, { 'if-match': `"${first.version}"` })

  assert.deepEqual([same.version, second.version, stale.status], [first.version, first.version + 1, 412])
  assert.deepEqual(await acme.events(), ['settings.updated', 'settings.updated'])
  assert.deepEqual(await acme.audit(), ['settings.updated', 'settings.updated'])
})

test('crm-8-10 a provider at a private address, an address of our own or without https is rejected without a request', async () => {
  const put = (url: string) => retryWhenBusy(() => acmeOfStrict.admin.put(settingsUrl, { providers: [http({ url })] }))

  for (const url of [
    'http://api.example.com/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://localhost/',
    `https://x.${strict.domain}/`,
  ]) {
    const { status, body } = await put(url)
    assert.deepEqual([status, body.errors?.[0].path], [422, '/providers/0/config/url'], url)
  }
  const rejected = await Promise.all(hostileUrls.map(async ([url]) => [(await put(url)).status, url]))
  assert.deepEqual(
    rejected.filter(([status]) => status !== 422),
    [],
  )
  assert.deepEqual(strict.requests, [])
})

test('crm-8-10 a stored private address is not called either', async () => {
  const doc = { providers: [{ ...http({ url: 'https://169.254.169.254/?e={email}' }), enabled: true, position: 1 }] }
  const provider = doc.providers[0]!
  Object.assign(provider.config, {
    method: 'GET',
    secret_header: 'authorization',
    entity_types: ['lead'],
    confidence: 0.8,
    credits: 1,
    max_requests_per_minute: 60,
  })
  await acmeOfStrict.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc, version) values ($1, 'enrichment', $2, 2)
     on conflict (tenant_id, section) do update set doc = excluded.doc`,
    [acmeOfStrict.id, doc],
  )
  const { id } = await strict.addLead(acmeOfStrict, { email: 'jane.doe@acme.com' })
  await strict.enrich(acmeOfStrict, id)
  await strict.dispatch(acmeOfStrict)

  const [job] = await strict.readJobs(acmeOfStrict)
  assert.partialDeepStrictEqual(job.log.at(-1), { provider: 'people', outcome: 'error', error: 'blocked_address' })
  assert.deepEqual([job.status, job.attempts], ['queued', 1])
})

test('all problems of the providers are reported', async () => {
  const acme = await tenant()

  const rejected = await acme.admin.put(settingsUrl, {
    providers: [
      { key: 'offline', kind: 'http' },
      { key: 'mine', kind: 'offline', config: http({}).config },
      http({ url: 'https://{domain}/x', mapping: { email: '/email', owner_id: '/x' }, secret_header: 'Host' }),
      http({ url: 'https://api.example.com/{secret}', entity_types: ['contact'], mapping: { company: '/c' } }),
    ],
  })
  const malformed = await acme.admin.put(settingsUrl, {
    min_confidence: 2,
    fields: ['email'],
    overwrite_policy: 'never',
    providers: [http({ mapping: { title: 'title' } }), http({ mapping: {} }), { key: 'A', kind: 'ftp' }],
  })

  assert.equal(rejected.status, 422)
  assert.deepEqual(problems(rejected), [
    '/providers/0/key reserved',
    '/providers/0/config required',
    '/providers/1/key reserved',
    '/providers/1/config unexpected',
    '/providers/2/config/url placeholder_in_host',
    '/providers/2/config/secret_header reserved',
    '/providers/2/config/mapping/email unknown',
    '/providers/2/config/mapping/owner_id unknown',
    '/providers/3/key unique',
    '/providers/3/config/url unknown_placeholder',
    '/providers/3/config/mapping/company unknown',
  ])
  assert.equal(malformed.status, 422)
  assert.ok(problems(malformed).length >= 7)
  assert.equal((await acme.admin.get(settingsUrl)).body.version, 1)
})

test('providers are changed in a session with a fresh sign-in only, and all admins are notified', async () => {
  const acme = await tenant()
  const second = await acme.person('admin')
  const { body: key } = await acme.admin.post('/api/api-keys', {
    name: 'Sync',
    scopes: ['enrichment.read', 'enrichment.write'],
  })
  const settings = { providers: [people.settings] }

  const byKey = await acme.bearer(`Bearer ${key.key}`).put(settingsUrl, settings)
  await putSettings(acme, settings)
  await putSettings(acme, { ...settings, enabled: false })
  await acme.sql(
    `update identity.sessions set authenticated_at = authenticated_at - interval '16 minutes' where id = $1`,
    [acme.admin.sessionId],
  )
  const stale = [
    await acme.admin.put(settingsUrl, {}),
    await acme.admin.patch('/api/admin/settings', { enrichment: settings }),
  ]

  assert.deepEqual([byKey.status, byKey.body.code], [403, 'session_required'])
  assert.deepEqual(
    stale.map(({ body }) => body.code),
    ['reauthentication_required', 'reauthentication_required'],
  )
  const { rows } = await acme.sql(
    'select user_id, payload from platform.notifications where tenant_id = $1 and kind = $2 order by id',
    [acme.id, 'enrichment.providers_changed'],
  )
  const { host } = new URL(people.settings.config.url)
  assert.deepEqual(rows.map(({ user_id }) => user_id).sort(), [acme.admin.userId, second.userId].sort())
  assert.deepEqual(rows[0].payload, { hosts: [host] })
})
