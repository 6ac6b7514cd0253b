import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { tenant } = await startTestApp({ GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: 'secret' })
const url = '/api/admin/settings'

const errorsOf = (body: { errors: { path: string; code: string }[] }) =>
  body.errors.map(({ path, code }) => `${path} ${code}`)

test('identity-10-7: single sign-on cannot be enforced without an enabled provider', async () => {
  const acme = await tenant()

  const withoutProvider = await acme.admin.patch(url, { sso: { enforced: true } })
  const withProvider = await acme.admin.patch(url, { sso: { enforced: true, google: { enabled: true } } })
  const providerGone = await acme.admin.patch(url, { sso: { google: { enabled: false } } })

  assert.deepEqual([withoutProvider.status, withoutProvider.body.code], [409, 'conflict'])
  assert.equal(withProvider.status, 200)
  assert.equal(providerGone.status, 409)
})

test('single sign-on cannot be enforced unless an admin has a password to fall back on', async () => {
  const acme = await tenant()
  await acme.sql('update identity.user_credentials set password_hash = null where tenant_id = $1', [acme.id])

  const rejected = await acme.admin.patch(url, { sso: { enforced: true, google: { enabled: true } } })

  assert.equal(rejected.status, 409)
  assert.match(rejected.body.detail, /password/)
})

test('the currency cannot be changed once a quota is stored', async () => {
  const acme = await tenant()
  const beforeQuota = await acme.admin.patch(url, { general: { currency: 'USD' } })
  await acme.sql('update identity.users set quarterly_quota_minor = 1 where tenant_id = $1 and id = $2', [
    acme.id,
    acme.member.userId,
  ])

  const afterQuota = await acme.admin.patch(url, { general: { currency: 'EUR' } })
  const unchanged = await acme.admin.patch(url, { general: { currency: 'USD', locale: 'de' } })

  assert.equal(beforeQuota.status, 200)
  assert.deepEqual([afterQuota.status, afterQuota.body.code], [409, 'currency_in_use'])
  assert.equal(unchanged.status, 200)
})

test('all invalid values of a request are reported at once', async () => {
  const acme = await tenant()

  const rejected = await acme.admin.patch(url, {
    general: { timezone: 'Mars/Olympus', currency: 'ZZZ' },
    signup: { policy: 'domain', allowed_email_domains: ['acme.example', 'gmail.com'] },
    sso: { okta: { enabled: true, issuer: 'https://acme.okta.example' } },
    ai: { provider: 'anthropic' },
  })

  assert.equal(rejected.status, 422)
  assert.deepEqual(errorsOf(rejected.body).sort(), [
    '/ai/api_key required',
    '/ai/model required',
    '/general/currency unknown',
    '/general/timezone unknown',
    '/signup/allowed_email_domains/1 public_mail_provider',
    '/sso/okta/client_id required',
    '/sso/okta/client_secret required',
  ])
  assert.deepEqual(await acme.audit(), [])
})

test('values outside their limits are rejected', async () => {
  const acme = await tenant()
  const outside = [
    { security: { activity_threshold_seconds: 59 } },
    { security: { session_idle_days: 31 } },
    { security: { session_max_days: 91 } },
    { security: { password_min_length: 7 } },
    { security: { api_key_max_days: 731 } },
    { signup: { default_role: 'admin' } },
    { sso: { default_role: 'admin' } },
    { retention: { audit_log_days: 89 } },
    { retention: { backup_keep: 61 } },
    { branding: { logo_url: 'http://acme.example/logo.png' } },
    { branding: { email_from_name: 'Acme\r\nBcc: x@y.example' } },
    { branding: { email_footer: 'x'.repeat(501) } },
    { general: { name: '' } },
    { general: { name: null } },
    { sso: { okta: null } },
    { security: [] },
  ]

  for (const changes of outside)
    assert.equal((await acme.admin.patch(url, changes)).status, 422, JSON.stringify(changes))
})

test('URLs that webhooks refuse are rejected, and stored ones do not block other changes', async () => {
  const acme = await tenant()
  const refused = {
    'https://127.0.0.1/': 'blocked_address',
    'https://169.254.169.254/latest/meta-data': 'blocked_address',
    'https://[::1]/': 'blocked_address',
    'https://user:password@models.example.com/v1': 'invalid_url',
    'https://models.example.com:22/v1': 'invalid_url',
    'https://intranet/v1': 'invalid_url',
  }
  const found = await Promise.all(
    Object.keys(refused).map(async (base_url) => (await acme.admin.patch(url, { ai: { base_url } })).body),
  )
  const [address] = Object.keys(refused)
  const everywhere = await acme.admin.patch(url, {
    branding: { logo_url: address },
    sso: { okta: { issuer: address } },
    ai: { base_url: address },
    enablement_media: { voice: { base_url: address, model: 'm' }, transcription: { base_url: address, model: 'm' } },
  })
  await acme.admin.patch(url, { branding: { logo_url: 'https://acme.example/logo.png' } })
  await acme.sql(
    `update identity.tenant_settings set doc = jsonb_set(doc, '{logo_url}', to_jsonb($2::text)) where tenant_id = $1 and section = 'branding'`,
    [acme.id, address],
  )
  const other = await acme.admin.patch(url, { branding: { logo_url: address, email_footer: 'Acme' } })

  assert.deepEqual(
    found.map(errorsOf),
    Object.values(refused).map((code) => [`/ai/base_url ${code}`]),
  )
  assert.match(found[3].errors[0].message, /^`ai.base_url` cannot be used\. The URL must not contain a user name/)
  assert.deepEqual(errorsOf(everywhere.body).sort(), [
    '/ai/base_url blocked_address',
    '/branding/logo_url blocked_address',
    '/enablement_media/transcription/base_url blocked_address',
    '/enablement_media/voice/base_url blocked_address',
    '/sso/okta/issuer blocked_address',
  ])
  assert.deepEqual([other.status, other.body.branding.email_footer], [200, 'Acme'])
})

test('sensitive sections require a recent sign-in, other sections do not', async () => {
  const acme = await tenant()
  await acme.sql(
    `update identity.sessions set authenticated_at = authenticated_at - interval '16 minutes' where tenant_id = $1`,
    [acme.id],
  )

  const withOldLogin = [
    await acme.admin.patch(url, { security: { password_min_length: 14 } }),
    await acme.admin.patch(url, { signup: { policy: 'open' } }),
    await acme.admin.patch(url, { sso: { jit_provisioning: true } }),
    await acme.admin.patch(url, { ai: { monthly_token_limit: 1 } }),
    await acme.admin.patch(url, { branding: { email_footer: 'Acme' } }),
  ]
  const freshSession = await acme.signIn(acme.admin.userId)
  const withFreshLogin = await freshSession.patch(url, { security: { password_min_length: 14 } })

  assert.deepEqual(
    withOldLogin.map(({ status, body }) => [status, body.code]),
    [
      [403, 'reauthentication_required'],
      [403, 'reauthentication_required'],
      [403, 'reauthentication_required'],
      [403, 'reauthentication_required'],
      [200, undefined],
    ],
  )
  assert.equal(withFreshLogin.status, 200)
})
