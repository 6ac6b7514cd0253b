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
      `select resource_label as label, reason, changes from platform.audit_log
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
    sso: { okta: { color: 'red' }, has_client_secret: true },
    weather: {},
  })
  const shown = await acme.admin.get(url)

  assert.equal(set.status, 200)
  assert.equal(set.body.version, before.version + 1)
  assert.deepEqual([stale.status, stale.body.code], [412, 'version_mismatch'])
  assert.equal(unknown.status, 422)
  assert.deepEqual(errorsOf(unknown.body).sort(), [
    '/sso/has_client_secret additionalProperties',
    '/sso/okta/color additionalProperties',
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

test('a stored secret is deleted when the request changes where it is sent', async () => {
  const acme = await tenant()
  const ai = { provider: 'openai_compatible', model: 'llama-3', base_url: 'https://models.example/v1', api_key: 'sk-1' }
  const set = async (changes: object) => {
    const { status, body } = await acme.admin.patch(url, { ai: changes })
    return [status, body.ai.has_api_key]
  }

  assert.deepEqual(await set(ai), [200, true])
  assert.deepEqual(await set({ model: 'llama-4', base_url: ai.base_url }), [200, true])
  assert.deepEqual(await set({ base_url: 'https://attacker.example/v1' }), [200, false])
  assert.deepEqual(await set({ base_url: ai.base_url, api_key: 'sk-2' }), [200, true])
  assert.deepEqual(await set({ provider: 'none' }), [200, false])

  const { rows } = await acme.sql('select name from identity.tenant_secrets where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [])
  const entry = (await auditOf(acme))[2]
  assert.equal(entry.reason, 'The stored api_key was deleted because base_url changed.')
  assert.deepEqual(
    entry.changes.find(({ field }: { field: string }) => field === 'ai.api_key'),
    { field: 'ai.api_key', before: '[redacted]', after: null },
  )
  assert.deepEqual((await outbox(acme))[2].data.changed, ['base_url', 'api_key'])
})

test('the issuer and client of Okta cannot be changed without the secret while Okta is enabled', async () => {
  const acme = await tenant()
  const okta = { enabled: true, issuer: 'https://acme.okta.example', client_id: 'tributary', client_secret: 'hush' }
  const set = (changes: object) => acme.admin.patch(url, { sso: { okta: changes } })
  assert.equal((await set(okta)).status, 200)

  for (const change of [{ issuer: 'https://attacker.example' }, { client_id: 'other' }]) {
    const rejected = await set(change)
    assert.deepEqual([rejected.status, errorsOf(rejected.body)], [422, ['/sso/okta/client_secret required']])
    const accepted = await set({ ...change, client_secret: 'another' })
    assert.deepEqual([accepted.status, accepted.body.sso.okta.has_client_secret], [200, true])
  }
  const disabled = await set({ enabled: false, issuer: 'https://elsewhere.example' })
  assert.equal(disabled.body.sso.okta.has_client_secret, false)
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
