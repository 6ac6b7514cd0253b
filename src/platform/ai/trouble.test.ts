import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestDb } from '#testing'
import type { FallbackReason, Model } from './index.ts'
import {
  type Behaviour,
  breaksOff,
  floods,
  hangsUp,
  modelServer,
  redirects,
  refuses,
  says,
  speaksNonsense,
  staysSilent,
} from './model.stand-in.ts'
import { anthropic, apiKey, good, newcomer, openAi, portTo, question } from './models.fixture.ts'

const { db } = await startTestDb()
const whole = JSON.stringify(good)

const troubles: [string, Behaviour, FallbackReason][] = [
  ['free text', says('I think this lead is great!'), 'invalid_output'],
  ['nothing', says(''), 'invalid_output'],
  ['JSON in a fence', says(`\`\`\`json\n${whole}\n\`\`\``), 'invalid_output'],
  ['JSON that breaks off', says(whole.slice(0, -10), { stop: 'length' }), 'invalid_output'],
  ['a list', says([good]), 'invalid_output'],
  ['a missing field', says({ verdict: 'nurture', confidence: 0.5 }), 'invalid_output'],
  ['a number as text', says({ ...good, confidence: '0.5' }), 'invalid_output'],
  ['a number out of bounds', says({ ...good, confidence: 7 }), 'invalid_output'],
  ['a text that is too long', says({ ...good, reason: 'x'.repeat(201) }), 'invalid_output'],
  [
    'a poisoned object',
    says('{"__proto__":{"isAdmin":true},"verdict":"nurture","confidence":0.5,"reason":""}'),
    'invalid_output',
  ],
  ['a character nobody can store', says({ ...good, reason: 'a\0b' }), 'invalid_output'],
  ['half a character', says(`{"verdict":"nurture","confidence":0.5,"reason":"\\ud83d"}`), 'invalid_output'],
  ['an empty envelope', (response) => response.end('{}'), 'provider_error'],
  ['no JSON at all', speaksNonsense, 'provider_error'],
  ['400', refuses(400), 'provider_error'],
  ['401', refuses(401), 'provider_error'],
  ['204', (response) => response.writeHead(204).end(), 'provider_error'],
  ['a redirect', redirects('http://127.0.0.1:1/'), 'provider_error'],
  ['a connection that is reset', hangsUp, 'provider_error'],
  ['an answer that breaks off', breaksOff, 'provider_error'],
  ['more than a megabyte', floods(2_000_000), 'provider_error'],
]

for (const [what, behaviour, reason] of troubles) {
  test(`${what} from a model leaves the answer to the rules`, async () => {
    for (const modelAt of [openAi, anthropic]) {
      const { baseUrl, received } = await modelServer(behaviour)
      const { models, text } = portTo({ db, model: modelAt(baseUrl) })

      const answer = await models.ask(newcomer(), question)

      assert.deepEqual(answer, { engine: 'rules', model: null, fallback_reason: reason })
      assert.equal(received().length, 1)
      assert.ok(!text().includes(apiKey))
    }
  })
}

for (const status of [429, 500, 503, 529]) {
  test(`${status} is tried once more, and no oftener`, async () => {
    const passing = await modelServer(refuses(status), says(good))
    const lasting = await modelServer(refuses(status))
    const ask = (baseUrl: string) => portTo({ db, model: openAi(baseUrl) }).models.ask(newcomer(), question)

    const [first, second] = await Promise.all([ask(passing.baseUrl), ask(lasting.baseUrl)])

    assert.equal(first.engine, 'model')
    assert.equal(second.fallback_reason, 'provider_error')
    assert.deepEqual([passing.received().length, lasting.received().length], [2, 2])
  })
}

test('a server that wants to be left alone for a second is left alone for a second', async () => {
  const { baseUrl } = await modelServer(refuses(429, { 'retry-after': '1' }), says(good))
  const { models } = portTo({ db, model: openAi(baseUrl) })
  const began = performance.now()

  const answer = await models.ask(newcomer(), question)

  assert.equal(answer.engine, 'model')
  assert.ok(performance.now() - began >= 1_000)
})

test('a server that wants to be left alone for longer than there is time is not waited for', async () => {
  for (const patience of ['60', new Date(Date.now() + 3_600_000).toUTCString()]) {
    const { baseUrl, received } = await modelServer(refuses(429, { 'retry-after': patience }), says(good))
    const { models } = portTo({ db, model: openAi(baseUrl) })
    const began = performance.now()

    const answer = await models.ask(newcomer(), question)

    assert.deepEqual([answer.fallback_reason, received().length], ['provider_error', 1])
    assert.ok(performance.now() - began < 5_000)
  }
})

test('a model that takes too long is left, also when it fails first', async () => {
  for (const behaviours of [[staysSilent], [refuses(503, { 'retry-after': '0.2' }), staysSilent]] as const) {
    const { baseUrl } = await modelServer(...(behaviours as readonly [Behaviour, ...Behaviour[]]))
    const { models } = portTo({ db, model: openAi(baseUrl), limitMs: 700 })
    const began = performance.now()

    const answer = await models.ask(newcomer(), question)

    assert.equal(answer.fallback_reason, 'timeout')
    const ms = performance.now() - began
    assert.ok(ms >= 650 && ms < 3_000, `${ms} ms`)
  }
})

test('when nobody waits any more the model is left at once, and no rules are asked for', async () => {
  const { baseUrl, received } = await modelServer(staysSilent)
  const { models } = portTo({ db, model: openAi(baseUrl) })
  const controller = new AbortController()
  const asking = models.ask(newcomer(), { ...question, signal: controller.signal })

  while (!received().length) await sleep(10)
  controller.abort(new Error('The caller hung up.'))

  await assert.rejects(asking, { message: 'The caller hung up.' })
  await assert.rejects(models.ask(newcomer(), { ...question, signal: controller.signal }))
  assert.equal(received().length, 1)
})

test('nothing is sent to an address inside, however the workspace spells it', async () => {
  const { baseUrl, received } = await modelServer(says(good))
  const inside = [
    baseUrl,
    baseUrl.replace('http:', 'https:'),
    'https://localhost/v1',
    'https://acme.tributary.example/v1',
  ]

  for (const address of inside) {
    const { models } = portTo({ db, model: openAi(address), isProduction: true })
    assert.equal((await models.ask(newcomer(), question)).fallback_reason, 'provider_error')
  }

  assert.equal(received().length, 0)
})

test('an address, a name or a key that makes no sense is an error of the provider', async () => {
  const { baseUrl } = await modelServer(says(good))
  const senseless: Partial<Model>[] = [
    { baseUrl: '' },
    { baseUrl: 'not an address' },
    { apiKey: `${apiKey}\r\nX-Evil: 1` },
    { apiKey: `${apiKey}ü€` },
  ]

  for (const modelAt of [openAi, anthropic]) {
    for (const change of senseless) {
      const { models, text } = portTo({ db, model: modelAt(baseUrl, change) })
      assert.equal((await models.ask(newcomer(), question)).fallback_reason, 'provider_error', JSON.stringify(change))
      assert.ok(!text().includes(apiKey))
    }
  }
})
