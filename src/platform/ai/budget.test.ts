import assert from 'node:assert/strict'
import { test } from 'node:test'
import { poolUsage } from '#platform/db'
import { SecretUnreadable } from '#platform/secrets'
import { movableClock, startTestDb } from '#testing'
import { modelServer, refuses, says, staysSilent } from './model.stand-in.ts'
import { good, newcomer, openAi, portTo, question } from './models.fixture.ts'
import { mostTokens, promptOf } from './prompt.rules.ts'

const { db, owner } = await startTestDb()
const booked = mostTokens(promptOf(question.instructions, question.data), question.schema, 2_000)

const usageOf = async (tenantId: string) =>
  (
    await owner.query(`select month::text, tokens::int from platform.ai_usage where tenant_id = $1 order by month`, [
      tenantId,
    ])
  ).rows
const tokensOf = async (tenantId: string) => (await usageOf(tenantId)).map(({ tokens }) => tokens)

test('what a model used is counted for the workspace and the month', async () => {
  const { baseUrl } = await modelServer(says(good, { input: 300, output: 40 }))
  const { models } = portTo({ db, model: openAi(baseUrl) })
  const actor = newcomer()

  await models.ask(actor, question)
  await models.ask(actor, question)

  const month = `${new Date().toISOString().slice(0, 7)}-01`
  assert.deepEqual(await usageOf(actor.tenantId), [{ month, tokens: 680 }])
})

test('of twenty calls at once only as many go out as the budget holds', async () => {
  const { baseUrl, received } = await modelServer((response, protocol) =>
    setTimeout(() => says(good, { input: booked - 2_000, output: 2_000 })(response, protocol), 200),
  )
  const { models } = portTo({ db, model: openAi(baseUrl, { monthlyTokenLimit: 5 * booked + 100 }) })
  const actor = newcomer()

  const answers = await Promise.all(Array.from({ length: 20 }, () => models.ask(actor, question)))

  assert.equal(answers.filter(({ engine }) => engine === 'model').length, 5)
  assert.equal(answers.filter(({ fallback_reason }) => fallback_reason === 'budget_exceeded').length, 15)
  assert.equal(received().length, 5)
  assert.deepEqual(await tokensOf(actor.tenantId), [5 * booked])
})

test('a call that used more than was booked stops the next one', async () => {
  const { baseUrl, received } = await modelServer(says(good, { input: 50_000 }))
  const { models } = portTo({ db, model: openAi(baseUrl, { monthlyTokenLimit: 40_000 }) })
  const actor = newcomer()

  const first = await models.ask(actor, question)
  const second = await models.ask(actor, question)

  assert.deepEqual([first.engine, second.fallback_reason, received().length], ['model', 'budget_exceeded', 1])
})

test('the budget of one workspace is nothing to another', async () => {
  const { baseUrl } = await modelServer(says(good))
  const { models } = portTo({ db, model: openAi(baseUrl, { monthlyTokenLimit: booked + 10 }) })
  const [acme, beta] = [newcomer(), newcomer()]

  const answers = [await models.ask(acme, question), await models.ask(acme, question), await models.ask(beta, question)]

  assert.deepEqual(
    answers.map(({ engine }) => engine),
    ['model', 'rules', 'model'],
  )
  assert.deepEqual([await tokensOf(acme.tenantId), await tokensOf(beta.tenantId)], [[120], [120]])
})

test('a new month begins with a new budget', async () => {
  const { baseUrl } = await modelServer(says(good))
  const clock = movableClock()
  const { models } = portTo({ db, clock, model: openAi(baseUrl, { monthlyTokenLimit: booked }) })
  const actor = newcomer()

  const engines = []
  for (const days of [0, 0, 32]) {
    clock.advance(days * 86_400)
    engines.push((await models.ask(actor, question)).engine)
  }

  assert.deepEqual(engines, ['model', 'rules', 'model'])
  assert.deepEqual(await tokensOf(actor.tenantId), [120, 120])
})

test('a budget of nothing is spent already, and then nobody is asked', async () => {
  const { baseUrl, received } = await modelServer(says(good))
  const { models } = portTo({ db, model: openAi(baseUrl, { monthlyTokenLimit: 0 }) })
  const actor = newcomer()

  const answer = await models.ask(actor, question)

  assert.deepEqual([answer.fallback_reason, received().length], ['budget_exceeded', 0])
  assert.deepEqual(await usageOf(actor.tenantId), [])
})

test('a refusal costs nothing; what nobody tells is counted as booked', async () => {
  const costs = async (...behaviours: Parameters<typeof modelServer>) => {
    const { baseUrl } = await modelServer(...behaviours)
    const { models } = portTo({ db, model: openAi(baseUrl), limitMs: 500 })
    const actor = newcomer()
    await models.ask(actor, question)
    return await tokensOf(actor.tenantId)
  }

  assert.deepEqual(await costs(refuses(401)), [0])
  assert.deepEqual(await costs(says('no JSON')), [120])
  assert.deepEqual(await costs(staysSilent), [booked])
  assert.deepEqual(await costs(says(good, { hasUsage: false })), [booked])
})

test('a server that lies about what it used cannot break the count', async () => {
  const actor = newcomer()
  for (const lie of [{ input: -5_000 }, { input: 0.5, output: 0 }, { input: 1e300 }]) {
    const { baseUrl } = await modelServer(says(good, lie))
    const { models } = portTo({ db, model: openAi(baseUrl) })

    assert.equal((await models.ask(actor, question)).engine, 'model')
  }

  assert.deepEqual(await tokensOf(actor.tenantId), [10_000_001])
})

test('while the model thinks no connection is held', async () => {
  let inUse = -1
  const { baseUrl } = await modelServer((response, protocol) => {
    inUse = poolUsage(db).in_use
    says(good)(response, protocol)
  })

  await portTo({ db, model: openAi(baseUrl) }).models.ask(newcomer(), question)

  assert.equal(inUse, 0)
})

test('an answer is not lost because the count could not be put right', async () => {
  const { baseUrl } = await modelServer(async (response, protocol) => {
    await owner.query('revoke update on platform.ai_usage from app')
    says(good)(response, protocol)
  })
  const { models, lines } = portTo({ db, model: openAi(baseUrl) })
  const actor = newcomer()

  const answer = await models.ask(actor, question)
  await owner.query('grant update on platform.ai_usage to app')

  assert.equal(answer.engine, 'model')
  assert.deepEqual(await tokensOf(actor.tenantId), [booked])
  assert.equal(lines()[0].level, 'warn')
})

test('a key that can no longer be read is no key, and the rules answer', async () => {
  const { models, lines } = portTo({ db, model: null, readModel: () => Promise.reject(new SecretUnreadable()) })

  const answer = await models.ask(newcomer(), question)

  assert.equal(answer.fallback_reason, 'not_configured')
  assert.equal(lines()[0].trouble, 'key')
})
