import assert from 'node:assert/strict'
import { test } from 'node:test'
import { poolUsage } from '#platform/db'
import { SecretDecryptionError } from '#platform/secrets'
import { createTestClock, startTestDb } from '#testing'
import { createTestModelClient, modelRequest, newJobActor, openAiModel, validOutput } from './model-client.fixture.ts'
import { neverRespond, respondWith, respondWithError, startModelServer } from './model-server.stand-in.ts'
import { buildPrompt, estimateMaxTokens } from './prompt.rules.ts'

const { db, owner } = await startTestDb()
const reserved = estimateMaxTokens(
  buildPrompt(modelRequest.instructions, modelRequest.data),
  modelRequest.schema,
  2_000,
)

const usageOf = async (tenantId: string) =>
  (
    await owner.query(`select month::text, tokens::int from platform.ai_usage where tenant_id = $1 order by month`, [
      tenantId,
    ])
  ).rows
const tokensOf = async (tenantId: string) => (await usageOf(tenantId)).map(({ tokens }) => tokens)

test('used tokens are counted per workspace and month', async () => {
  const { baseUrl } = await startModelServer(respondWith(validOutput, { inputTokens: 300, outputTokens: 40 }))
  const { models } = createTestModelClient({ db, model: openAiModel(baseUrl) })
  const actor = newJobActor()

  await models.ask(actor, modelRequest)
  await models.ask(actor, modelRequest)

  const month = `${new Date().toISOString().slice(0, 7)}-01`
  assert.deepEqual(await usageOf(actor.tenantId), [{ month, tokens: 680 }])
})

test('twenty concurrent calls do not exceed the budget', async () => {
  const { baseUrl, received } = await startModelServer((response, protocol) =>
    setTimeout(
      () => respondWith(validOutput, { inputTokens: reserved - 2_000, outputTokens: 2_000 })(response, protocol),
      200,
    ),
  )
  const { models } = createTestModelClient({
    db,
    model: openAiModel(baseUrl, { monthlyTokenLimit: 5 * reserved + 100 }),
  })
  const actor = newJobActor()

  const answers = await Promise.all(Array.from({ length: 20 }, () => models.ask(actor, modelRequest)))

  assert.equal(answers.filter(({ engine }) => engine === 'model').length, 5)
  assert.equal(answers.filter(({ fallback_reason }) => fallback_reason === 'budget_exceeded').length, 15)
  assert.equal(received().length, 5)
  assert.deepEqual(await tokensOf(actor.tenantId), [5 * reserved])
})

test('a call that used more than reserved exhausts the budget for the next call', async () => {
  const { baseUrl, received } = await startModelServer(respondWith(validOutput, { inputTokens: 50_000 }))
  const { models } = createTestModelClient({ db, model: openAiModel(baseUrl, { monthlyTokenLimit: 40_000 }) })
  const actor = newJobActor()

  const first = await models.ask(actor, modelRequest)
  const second = await models.ask(actor, modelRequest)

  assert.deepEqual([first.engine, second.fallback_reason, received().length], ['model', 'budget_exceeded', 1])
})

test('the budgets of workspaces are independent', async () => {
  const { baseUrl } = await startModelServer(respondWith(validOutput))
  const { models } = createTestModelClient({ db, model: openAiModel(baseUrl, { monthlyTokenLimit: reserved + 10 }) })
  const [acme, beta] = [newJobActor(), newJobActor()]

  const answers = [
    await models.ask(acme, modelRequest),
    await models.ask(acme, modelRequest),
    await models.ask(beta, modelRequest),
  ]

  assert.deepEqual(
    answers.map(({ engine }) => engine),
    ['model', 'rules', 'model'],
  )
  assert.deepEqual([await tokensOf(acme.tenantId), await tokensOf(beta.tenantId)], [[120], [120]])
})

test('the budget resets every month', async () => {
  const { baseUrl } = await startModelServer(respondWith(validOutput))
  const clock = createTestClock()
  const { models } = createTestModelClient({ db, clock, model: openAiModel(baseUrl, { monthlyTokenLimit: reserved }) })
  const actor = newJobActor()

  const engines = []
  for (const days of [0, 0, 32]) {
    clock.advance(days * 86_400)
    engines.push((await models.ask(actor, modelRequest)).engine)
  }

  assert.deepEqual(engines, ['model', 'rules', 'model'])
  assert.deepEqual(await tokensOf(actor.tenantId), [120, 120])
})

test('with a budget of zero no provider is called', async () => {
  const { baseUrl, received } = await startModelServer(respondWith(validOutput))
  const { models } = createTestModelClient({ db, model: openAiModel(baseUrl, { monthlyTokenLimit: 0 }) })
  const actor = newJobActor()

  const answer = await models.ask(actor, modelRequest)

  assert.deepEqual([answer.fallback_reason, received().length], ['budget_exceeded', 0])
  assert.deepEqual(await usageOf(actor.tenantId), [])
})

test('an error response costs nothing, and unreported usage counts as reserved', async () => {
  const tokensAfter = async (...behaviors: Parameters<typeof startModelServer>) => {
    const { baseUrl } = await startModelServer(...behaviors)
    const { models } = createTestModelClient({ db, model: openAiModel(baseUrl), timeoutMs: 3_000 })
    const actor = newJobActor()
    await models.ask(actor, modelRequest)
    return await tokensOf(actor.tenantId)
  }

  assert.deepEqual(await tokensAfter(respondWithError(401)), [0])
  assert.deepEqual(await tokensAfter(respondWith('no JSON')), [120])
  assert.deepEqual(await tokensAfter(neverRespond), [reserved])
  assert.deepEqual(await tokensAfter(respondWith(validOutput, { hasUsage: false })), [reserved])
})

test('implausible usage reported by a server is clamped', async () => {
  const actor = newJobActor()
  for (const usage of [{ inputTokens: -5_000 }, { inputTokens: 0.5, outputTokens: 0 }, { inputTokens: 1e300 }]) {
    const { baseUrl } = await startModelServer(respondWith(validOutput, usage))
    const { models } = createTestModelClient({ db, model: openAiModel(baseUrl) })

    assert.equal((await models.ask(actor, modelRequest)).engine, 'model')
  }

  assert.deepEqual(await tokensOf(actor.tenantId), [10_000_001])
})

test('no database connection is held during a call', async () => {
  let inUse = -1
  const { baseUrl } = await startModelServer((response, protocol) => {
    inUse = poolUsage(db).in_use
    respondWith(validOutput)(response, protocol)
  })

  await createTestModelClient({ db, model: openAiModel(baseUrl) }).models.ask(newJobActor(), modelRequest)

  assert.equal(inUse, 0)
})

test('an answer is returned even if its usage cannot be recorded', async () => {
  const { baseUrl } = await startModelServer(async (response, protocol) => {
    await owner.query('revoke update on platform.ai_usage from app')
    respondWith(validOutput)(response, protocol)
  })
  const { models, lines } = createTestModelClient({ db, model: openAiModel(baseUrl) })
  const actor = newJobActor()

  const answer = await models.ask(actor, modelRequest)
  await owner.query('grant update on platform.ai_usage to app')

  assert.equal(answer.engine, 'model')
  assert.deepEqual(await tokensOf(actor.tenantId), [reserved])
  assert.equal(lines()[0].level, 'warn')
})

test('an API key that cannot be decrypted counts as not configured', async () => {
  const { models, lines } = createTestModelClient({
    db,
    model: null,
    readModel: () => Promise.reject(new SecretDecryptionError()),
  })

  const answer = await models.ask(newJobActor(), modelRequest)

  assert.equal(answer.fallback_reason, 'not_configured')
  assert.equal(lines()[0].detail, 'key')
})
