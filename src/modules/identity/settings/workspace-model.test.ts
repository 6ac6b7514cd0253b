import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { systemIn } from '#platform/access'
import { inTenant } from '#platform/db'
import { newKeyLine, openSecretBox } from '#platform/secrets'
import { startTestApp } from '#testing'
import { modelServer, says } from '../../../platform/ai/model.stand-in.ts'
import { workspaceModel } from './workspace-model.ts'

const { tenant, services, db } = await startTestApp({ SAFE_FETCH_ALLOW_PRIVATE: 'true' })
const url = '/api/admin/settings'
const question = {
  purpose: 'test',
  instructions: 'Say hello.',
  data: {},
  schema: Type.Object({ hello: Type.String({ maxLength: 20 }) }, { additionalProperties: false }),
}

test('the model an admin sets up is the one that is asked, with the key that was given, for that workspace alone', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  const { baseUrl, received } = await modelServer(says({ hello: 'Ada' }))
  const ai = { provider: 'openai_compatible', model: 'llama-3', base_url: 'https://models.example.com/v1' }
  assert.equal((await acme.admin.patch(url, { ai: { ...ai, api_key: 'sk-of-acme' } })).status, 200)
  // Settings take https only, and the stand-in has no certificate.
  await acme.sql(
    `update identity.tenant_settings set doc = jsonb_set(doc, '{base_url}', to_jsonb($2::text)) where tenant_id = $1 and section = 'ai'`,
    [acme.id, baseUrl],
  )

  const [ours, theirs] = [
    await services.models.ask(systemIn(acme.id), question),
    await services.models.ask(systemIn(beta.id), question),
  ]

  assert.deepEqual(ours, { engine: 'model', model: 'llama-3', fallback_reason: null, output: { hello: 'Ada' } })
  assert.equal(theirs.fallback_reason, 'not_configured')
  assert.deepEqual(
    received().map(({ headers }) => headers.authorization),
    ['Bearer sk-of-acme'],
  )
})

test('a limit of nothing binds on the next call, and switching the model off does too', async () => {
  const acme = await tenant()
  const ai = { provider: 'anthropic', model: 'claude-sonnet-4-5', api_key: 'sk-of-acme', monthly_token_limit: 0 }
  await acme.admin.patch(url, { ai })
  const limited = await services.models.ask(systemIn(acme.id), question)
  await acme.admin.patch(url, { ai: { provider: 'none' } })
  const off = await services.models.ask(systemIn(acme.id), question)

  assert.deepEqual([limited.fallback_reason, off.fallback_reason], ['budget_exceeded', 'not_configured'])
})

test('a key sealed with what is no longer at hand is not taken for no key', async () => {
  const acme = await tenant()
  await acme.admin.patch(url, { ai: { provider: 'anthropic', model: 'claude-sonnet-4-5', api_key: 'sk-of-acme' } })
  const readModel = workspaceModel(openSecretBox(newKeyLine('other')))

  await assert.rejects(inTenant(db, systemIn(acme.id), readModel), { name: 'SecretUnreadable' })
})
