import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { startTestApp } from '#testing'
import { readSettings } from './settings.queries.ts'

const { tenant, db } = await startTestApp()
const url = '/api/admin/settings'
type Acme = Awaited<ReturnType<typeof tenant>>

const auditOf = async (acme: Acme) =>
  (
    await acme.sql(
      `select resource_label as label, changes from platform.audit_log
       where tenant_id = $1 and action = 'settings.updated' order by id`,
      [acme.id],
    )
  ).rows

const outbox = async (acme: Acme) =>
  (await acme.sql('select data from platform.outbox_events where tenant_id = $1', [acme.id])).rows

test('a URL that an operator stored without https is returned, and stays until it is replaced', async () => {
  const acme = await tenant()
  const ai = { provider: 'openai_compatible', model: 'llama-3', base_url: 'https://models.example.com/v1' }
  await acme.admin.patch(url, { ai })
  const base_url = 'http://models.internal:8080/v1'
  await acme.sql(
    `update identity.tenant_settings set doc = jsonb_set(doc, '{base_url}', to_jsonb($2::text)) where tenant_id = $1 and section = 'ai'`,
    [acme.id, base_url],
  )

  const read = await acme.admin.get(url)
  const otherSection = await acme.admin.patch(url, { retention: { task_days: 60 } })
  const sameSection = await acme.admin.patch(url, { ai: { model: 'llama-4' } })
  const rejected = await acme.admin.patch(url, { ai: { base_url } })
  const replaced = await acme.admin.patch(url, { ai: { base_url: ai.base_url } })

  assert.deepEqual([read.status, read.body.ai.base_url], [200, base_url])
  assert.deepEqual([otherSection.status, otherSection.body.ai.base_url], [200, base_url])
  assert.deepEqual(
    [sameSection.status, sameSection.body.ai.model, sameSection.body.ai.base_url],
    [200, 'llama-4', base_url],
  )
  assert.deepEqual([rejected.status, rejected.body.errors[0].path], [422, '/ai/base_url'])
  assert.deepEqual([replaced.status, replaced.body.ai.base_url], [200, ai.base_url])
})

test('a new workspace has every setting at its default', async () => {
  const acme = await tenant({ name: 'Acme' })

  const { status, body, headers } = await acme.admin.get(url)

  assert.equal(status, 200)
  assert.equal(headers.etag, `"${body.version}"`)
  assert.deepEqual(Object.keys(body).slice(0, 8), [
    'version',
    'general',
    'branding',
    'security',
    'signup',
    'sso',
    'ai',
    'retention',
  ])
  assert.partialDeepStrictEqual(body, {
    general: { name: 'Acme', timezone: 'UTC', currency: 'EUR', fiscal_year_start_month: 1, week_starts_on: 'monday' },
    security: {
      activity_threshold_seconds: 900,
      session_idle_days: 14,
      password_min_length: 12,
      api_key_max_days: null,
    },
    signup: { policy: 'closed', allowed_email_domains: [], default_role: 'viewer', require_verified_email: true },
    sso: { enforced: false, okta: { enabled: false, issuer: null, has_client_secret: false } },
    ai: { provider: 'none', has_api_key: false },
    retention: { audit_log_days: 365, plg_event_days: 760 },
  })
})

test('only sent fields change, arrays are replaced, and the change applies at once', async () => {
  const acme = await tenant()
  const first = await acme.admin.patch(url, {
    signup: { policy: 'domain', allowed_email_domains: ['a.example', 'b.example'] },
    sso: { google: { allowed_hosted_domains: ['a.example'] } },
  })

  const second = await acme.admin.patch(url, {
    signup: { allowed_email_domains: ['c.example'] },
    sso: { google: { enabled: true } },
  })

  assert.equal(first.status, 200)
  assert.partialDeepStrictEqual(second.body, {
    signup: { policy: 'domain', allowed_email_domains: ['c.example'], default_role: 'viewer' },
    sso: { google: { enabled: true, allowed_hosted_domains: ['a.example'] }, enforced: false },
  })
  assert.deepEqual(second.body, (await acme.admin.get(url)).body)
  const signup = await inTenant(db, systemActor(acme.id), (tx) => readSettings(tx, 'signup'))
  assert.deepEqual(signup, second.body.signup)
})

test('the name in the settings is the workspace name', async () => {
  const acme = await tenant()

  const changed = await acme.admin.patch(url, { general: { name: 'Acme & Sons' } })
  const me = await acme.admin.get('/api/auth/me')

  assert.equal(changed.body.general.name, 'Acme & Sons')
  assert.equal(me.body.tenant.name, 'Acme & Sons')
})

test('identity-10-6: a new activity threshold applies to the next request', async () => {
  const acme = await tenant()
  await acme.sql(
    `update identity.sessions set last_seen_at = last_seen_at - interval '5 minutes' where tenant_id = $1`,
    [acme.id],
  )
  const before = await acme.admin.get('/api/users/admin/active-sessions')

  await acme.admin.patch(url, { security: { activity_threshold_seconds: 60 } })
  const after = await acme.admin.get('/api/users/admin/active-sessions')

  assert.deepEqual([before.body.threshold_seconds, after.body.threshold_seconds], [900, 60])
  assert.equal(before.body.total, 4)
  assert.ok(after.body.total < 4, `${after.body.total} are still active`)
})

test('only admins can read the settings, and API keys cannot change them', async () => {
  const acme = await tenant()
  const created = await acme.admin.post('/api/api-keys', { name: 'Key', scopes: ['admin.read', 'admin.write'] })
  const apiKey = acme.bearer(`ApiKey ${created.body.key}`)

  const reads = [acme.anonymous, acme.manager, acme.member, acme.viewer, apiKey].map((caller) => caller.get(url))
  const changed = await apiKey.patch(url, { branding: { email_footer: 'beep' } })

  assert.deepEqual(
    (await Promise.all(reads)).map(({ status }) => status),
    [401, 403, 403, 403, 200],
  )
  assert.deepEqual([changed.status, changed.body.code], [403, 'session_required'])
})

test('a workspace cannot read or change the settings of another', async () => {
  const [acme, beta] = [await tenant({ name: 'Acme' }), await tenant({ name: 'Beta' })]
  const { body: before } = await beta.admin.get(url)

  await acme.admin.patch(url, { general: { name: 'Acme 2' }, branding: { email_footer: 'of acme' } })

  const { body } = await beta.admin.get(url)
  assert.deepEqual([body.general.name, body.branding.email_footer], ['Beta', null])
  assert.deepEqual(body, before)
})

test('a change without effect creates no audit entry and no event', async () => {
  const acme = await tenant()
  const { body: before } = await acme.admin.get(url)

  const same = await acme.admin.patch(url, {
    security: { password_min_length: 12 },
    ai: { api_key: null },
    branding: {},
  })

  assert.deepEqual(same.body, before)
  assert.deepEqual(await auditOf(acme), [])
  assert.deepEqual(await acme.events(), [])
})

test('each changed section is audited and published with its changed fields', async () => {
  const acme = await tenant()

  await acme.admin.patch(url, {
    security: { password_min_length: 14 },
    sso: { okta: { client_id: 'x', client_secret: 'y' } },
  })

  assert.deepEqual(await outbox(acme), [
    { data: { section: 'security', changed: ['password_min_length'] } },
    { data: { section: 'sso', changed: ['okta.client_id', 'okta.client_secret'] } },
  ])
  assert.deepEqual((await auditOf(acme))[0], {
    label: 'security',
    changes: [{ field: 'security.password_min_length', before: 12, after: 14 }],
  })
})

test('one of several concurrent updates of the same version succeeds, and no field is lost', async () => {
  const acme = await tenant()
  const { body } = await acme.admin.get(url)
  const change = (email_footer: string) =>
    acme.admin.patch(url, { branding: { email_footer } }, { 'if-match': `"${body.version}"` })

  const raced = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(change))
  const withoutVersion = await Promise.all([
    acme.admin.patch(url, { retention: { backup_keep: 5 } }),
    acme.admin.patch(url, { retention: { task_days: 7 } }),
    acme.admin.patch(url, { retention: { audit_log_days: 90 } }),
  ])

  assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 412, 412, 412, 412])
  assert.deepEqual(
    withoutVersion.map(({ status }) => status),
    [200, 200, 200],
  )
  const { retention } = (await acme.admin.get(url)).body
  assert.partialDeepStrictEqual(retention, { backup_keep: 5, task_days: 7, audit_log_days: 90 })
})
