import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { createSecretBox, generateKeyEntry } from '#platform/secrets'
import { startTestApp } from '#testing'
import { respondWith, startModelServer } from '../../../../platform/ai/model-server.stand-in.ts'
import { createWorkspaceModelReader } from './workspace-model.ts'

const { tenant, services, db } = await startTestApp({ SAFE_FETCH_ALLOW_PRIVATE: 'true' })
const url = '/api/admin/settings'
const request = {
  purpose: 'test',
  instructions: 'Say hello.',
  data: {},
  schema: Type.Object({ hello: Type.String({ maxLength: 20 }) }, { additionalProperties: false }),
}

test('a workspace uses its own configured model and API key', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  const { baseUrl, received } = await startModelServer(respondWith({ hello: 'Ada' }))
  const ai = { provider: 'openai_compatible', model: 'llama-3', base_url: 'https://models.example.com/v1' }
  assert.equal((await acme.admin.patch(url, { ai: { ...ai, api_key: 'sk-of-acme' } })).status, 200)
  // The API accepts only https, and the stand-in has no certificate.
  await acme.sql(
    `update identity.tenant_settings set doc = jsonb_set(doc, '{base_url}', to_jsonb($2::text)) where tenant_id = $1 and section = 'ai'`,
    [acme.id, baseUrl],
  )

  const [configured, notConfigured] = [
    await services.models.ask(systemActor(acme.id), request),
    await services.models.ask(systemActor(beta.id), request),
  ]

  assert.deepEqual(configured, { engine: 'model', model: 'llama-3', fallback_reason: null, output: { hello: 'Ada' } })
  assert.equal(notConfigured.fallback_reason, 'not_configured')
  assert.deepEqual(
    received().map(({ headers }) => headers.authorization),
    ['Bearer sk-of-acme'],
  )
})

test('a token limit of 0 and disabling the model apply to the next call', async () => {
  const acme = await tenant()
  const ai = { provider: 'anthropic', model: 'claude-sonnet-4-5', api_key: 'sk-of-acme', monthly_token_limit: 0 }
  await acme.admin.patch(url, { ai })
  const limited = await services.models.ask(systemActor(acme.id), request)
  await acme.admin.patch(url, { ai: { provider: 'none' } })
  const off = await services.models.ask(systemActor(acme.id), request)

  assert.deepEqual([limited.fallback_reason, off.fallback_reason], ['budget_exceeded', 'not_configured'])
})

test('an API key that cannot be decrypted is an error, not a missing key', async () => {
  const acme = await tenant()
  await acme.admin.patch(url, { ai: { provider: 'anthropic', model: 'claude-sonnet-4-5', api_key: 'sk-of-acme' } })
  const readModel = createWorkspaceModelReader(createSecretBox(generateKeyEntry('other')))

  await assert.rejects(inTenant(db, systemActor(acme.id), readModel), { name: 'SecretDecryptionError' })
})
