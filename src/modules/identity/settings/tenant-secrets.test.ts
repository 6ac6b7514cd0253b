import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { startTestApp } from '#testing'
import { readSecret } from './tenant-secrets.service.ts'

const { tenant, services, db } = await startTestApp()
const url = '/api/admin/settings'
type Acme = Awaited<ReturnType<typeof tenant>>

const errorsOf = (body: { errors: { path: string; code: string }[] }) =>
  body.errors.map(({ path, code }) => `${path} ${code}`)

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

test('identity-10-5: an old version and unknown keys are rejected, and a secret is never returned', async () => {
  const acme = await tenant()
  const { body: before } = await acme.admin.get(url)
  const okta = { issuer: 'https://acme.okta.example', client_id: 'tributary', client_secret: 'very-hush-hush' }
  const set = await acme.admin.patch(url, { sso: { okta } }, { 'if-match': `"${before.version}"` })

  const stale = await acme.admin.patch(url, { branding: { email_footer: 'x' } }, { 'if-match': `"${before.version}"` })
  const unknown = await acme.admin.patch(url, {
    sso: { okta: { colour: 'red' }, has_client_secret: true },
    weather: {},
  })
  const shown = await acme.admin.get(url)

  assert.equal(set.status, 200)
  assert.equal(set.body.version, before.version + 1)
  assert.deepEqual([stale.status, stale.body.code], [412, 'version_mismatch'])
  assert.equal(unknown.status, 422)
  assert.deepEqual(errorsOf(unknown.body).sort(), [
    '/sso/has_client_secret additionalProperties',
    '/sso/okta/colour additionalProperties',
    '/weather additionalProperties',
  ])
  assert.equal(shown.body.sso.okta.has_client_secret, true)
  assert.equal(shown.body.branding.email_footer, null)
  const [entry] = await auditOf(acme)
  assert.equal(entry.label, 'sso')
  assert.deepEqual(
    entry.changes.find(({ field }: { field: string }) => field === 'sso.okta.client_secret'),
    { field: 'sso.okta.client_secret', before: null, after: '[redacted]' },
  )
  for (const output of [set, shown, JSON.stringify(await auditOf(acme)), await outbox(acme)])
    assert.ok(!JSON.stringify(output).includes('hush'), 'the secret was exposed')
})

test('a secret is stored encrypted, can be replaced, read by the product, and cleared', async () => {
  const acme = await tenant()
  const setKey = (api_key: string | null) => acme.admin.patch(url, { ai: { api_key } })
  const stored = async () =>
    (await acme.sql('select name, ciphertext from identity.tenant_secrets where tenant_id = $1', [acme.id])).rows

  await setKey('sk-first-0123456789')
  const [first] = await stored()
  const replaced = await setKey('sk-second-0123456789')
  const inUse = await inTenant(db, systemActor(acme.id), (tx) => readSecret(tx, services.secrets, 'ai.api_key'))
  const cleared = await setKey(null)

  assert.equal(first.name, 'ai.api_key')
  assert.ok(!first.ciphertext.includes('sk-first'))
  assert.equal(replaced.body.ai.has_api_key, true)
  assert.equal(inUse, 'sk-second-0123456789')
  assert.equal(cleared.body.ai.has_api_key, false)
  assert.deepEqual(await stored(), [])
  const entries = (await auditOf(acme)).map(({ changes }) => changes)
  assert.deepEqual(entries, [
    [{ field: 'ai.api_key', before: null, after: '[redacted]' }],
    [{ field: 'ai.api_key', before: '[redacted]', after: '[redacted]' }],
    [{ field: 'ai.api_key', before: '[redacted]', after: null }],
  ])
})

test('a secret copied from another workspace cannot be decrypted', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  await acme.admin.patch(url, { ai: { api_key: 'sk-acme-0123456789' } })

  await acme.sql(
    `insert into identity.tenant_secrets (tenant_id, name, ciphertext, kid)
     select $2, name, ciphertext, kid from identity.tenant_secrets where tenant_id = $1`,
    [acme.id, beta.id],
  )

  await assert.rejects(
    inTenant(db, systemActor(beta.id), (tx) => readSecret(tx, services.secrets, 'ai.api_key')),
    { name: 'SecretDecryptionError' },
  )
})
