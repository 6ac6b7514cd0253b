import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestDb, waitUntil } from '#testing'
import type { FallbackReason, Model } from './index.ts'
import {
  anthropicModel,
  apiKey,
  createTestModelClient,
  modelRequest,
  newJobActor,
  openAiModel,
  validOutput,
} from './model-client.fixture.ts'
import {
  neverRespond,
  type ProviderBehavior,
  redirectTo,
  resetConnection,
  respondWith,
  respondWithBytes,
  respondWithError,
  respondWithHtml,
  startModelServer,
  truncateResponse,
} from './model-server.stand-in.ts'

const { db } = await startTestDb()
const validJson = JSON.stringify(validOutput)

const failures: [string, ProviderBehavior, FallbackReason][] = [
  ['free text', respondWith('I think this lead is great!'), 'invalid_output'],
  ['an empty text', respondWith(''), 'invalid_output'],
  ['JSON in a code fence', respondWith(`\`\`\`json\n${validJson}\n\`\`\``), 'invalid_output'],
  ['truncated JSON', respondWith(validJson.slice(0, -10), { stop: 'length' }), 'invalid_output'],
  ['an array', respondWith([validOutput]), 'invalid_output'],
  ['a missing field', respondWith({ verdict: 'nurture', confidence: 0.5 }), 'invalid_output'],
  ['a number as a string', respondWith({ ...validOutput, confidence: '0.5' }), 'invalid_output'],
  ['a number out of bounds', respondWith({ ...validOutput, confidence: 7 }), 'invalid_output'],
  ['a string that is too long', respondWith({ ...validOutput, reason: 'x'.repeat(201) }), 'invalid_output'],
  [
    'an object with __proto__',
    respondWith('{"__proto__":{"isAdmin":true},"verdict":"nurture","confidence":0.5,"reason":""}'),
    'invalid_output',
  ],
  ['a NUL character', respondWith({ ...validOutput, reason: 'a\0b' }), 'invalid_output'],
  ['a lone surrogate', respondWith(`{"verdict":"nurture","confidence":0.5,"reason":"\\ud83d"}`), 'invalid_output'],
  ['an empty response object', (response) => response.end('{}'), 'provider_error'],
  ['HTML instead of JSON', respondWithHtml, 'provider_error'],
  ['status 400', respondWithError(400), 'provider_error'],
  ['status 401', respondWithError(401), 'provider_error'],
  ['status 204', (response) => response.writeHead(204).end(), 'provider_error'],
  ['a redirect', redirectTo('http://127.0.0.1:1/'), 'provider_error'],
  ['a connection that is reset', resetConnection, 'provider_error'],
  ['a truncated response', truncateResponse, 'provider_error'],
  ['more than a megabyte', respondWithBytes(2_000_000), 'provider_error'],
]

for (const [description, behavior, reason] of failures) {
  test(`the rules answer if the provider returns ${description}`, async () => {
    for (const modelAt of [openAiModel, anthropicModel]) {
      const { baseUrl, received } = await startModelServer(behavior)
      const { models, text } = createTestModelClient({ db, model: modelAt(baseUrl) })

      const answer = await models.ask(newJobActor(), modelRequest)

      assert.deepEqual(answer, { engine: 'rules', model: null, fallback_reason: reason })
      assert.equal(received().length, 1)
      assert.ok(!text().includes(apiKey))
    }
  })
}

for (const status of [429, 500, 503, 529]) {
  test(`status ${status} is retried exactly once`, async () => {
    const transient = await startModelServer(respondWithError(status), respondWith(validOutput))
    const permanent = await startModelServer(respondWithError(status))
    const ask = (baseUrl: string) =>
      createTestModelClient({ db, model: openAiModel(baseUrl) }).models.ask(newJobActor(), modelRequest)

    const [first, second] = await Promise.all([ask(transient.baseUrl), ask(permanent.baseUrl)])

    assert.equal(first.engine, 'model')
    assert.equal(second.fallback_reason, 'provider_error')
    assert.deepEqual([transient.received().length, permanent.received().length], [2, 2])
  })
}

test('a retry waits as long as Retry-After asks for', async () => {
  const { baseUrl } = await startModelServer(respondWithError(429, { 'retry-after': '1' }), respondWith(validOutput))
  const { models } = createTestModelClient({ db, model: openAiModel(baseUrl) })
  const began = performance.now()

  const answer = await models.ask(newJobActor(), modelRequest)

  assert.equal(answer.engine, 'model')
  assert.ok(performance.now() - began >= 1_000)
})

test('a Retry-After past the deadline is not waited for', async () => {
  for (const retryAfter of ['60', new Date(Date.now() + 3_600_000).toUTCString()]) {
    const { baseUrl, received } = await startModelServer(
      respondWithError(429, { 'retry-after': retryAfter }),
      respondWith(validOutput),
    )
    const { models } = createTestModelClient({ db, model: openAiModel(baseUrl) })
    const began = performance.now()

    const answer = await models.ask(newJobActor(), modelRequest)

    assert.deepEqual([answer.fallback_reason, received().length], ['provider_error', 1])
    assert.ok(performance.now() - began < 5_000)
  }
})

test('the timeout covers the first attempt and the retry', async () => {
  for (const behaviors of [[neverRespond], [respondWithError(503, { 'retry-after': '0.2' }), neverRespond]] as const) {
    const { baseUrl } = await startModelServer(...(behaviors as readonly [ProviderBehavior, ...ProviderBehavior[]]))
    const { models } = createTestModelClient({ db, model: openAiModel(baseUrl), timeoutMs: 700 })
    const began = performance.now()

    const answer = await models.ask(newJobActor(), modelRequest)

    assert.equal(answer.fallback_reason, 'timeout')
    const ms = performance.now() - began
    assert.ok(ms >= 650 && ms < 3_000, `${ms} ms`)
  }
})

test('an aborted request rejects immediately without a rules answer', async () => {
  const { baseUrl, received } = await startModelServer(neverRespond)
  const { models } = createTestModelClient({ db, model: openAiModel(baseUrl) })
  const controller = new AbortController()
  const pending = models.ask(newJobActor(), { ...modelRequest, signal: controller.signal })

  await waitUntil(() => received().length > 0)
  controller.abort(new Error('The caller disconnected.'))

  await assert.rejects(pending, { message: 'The caller disconnected.' })
  await assert.rejects(models.ask(newJobActor(), { ...modelRequest, signal: controller.signal }))
  assert.equal(received().length, 1)
})

test('nothing is sent to a private address, in any spelling', async () => {
  const { baseUrl, received } = await startModelServer(respondWith(validOutput))
  const privateUrls = [
    baseUrl,
    baseUrl.replace('http:', 'https:'),
    'https://localhost/v1',
    'https://acme.tributary.example/v1',
  ]

  for (const url of privateUrls) {
    const { models } = createTestModelClient({ db, model: openAiModel(url), isProduction: true })
    assert.equal((await models.ask(newJobActor(), modelRequest)).fallback_reason, 'provider_error')
  }

  assert.equal(received().length, 0)
})

test('an invalid URL or API key is a provider error', async () => {
  const { baseUrl } = await startModelServer(respondWith(validOutput))
  const invalidSettings: Partial<Model>[] = [
    { baseUrl: '' },
    { baseUrl: 'not a url' },
    { apiKey: `${apiKey}\r\nX-Evil: 1` },
    { apiKey: `${apiKey}ü€` },
  ]

  for (const modelAt of [openAiModel, anthropicModel]) {
    for (const change of invalidSettings) {
      const { models, text } = createTestModelClient({ db, model: modelAt(baseUrl, change) })
      assert.equal(
        (await models.ask(newJobActor(), modelRequest)).fallback_reason,
        'provider_error',
        JSON.stringify(change),
      )
      assert.ok(!text().includes(apiKey))
    }
  }
})
