import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#platform/access'
import { newId } from '#platform/ids'
import { createTestClock } from '#testing'
import type { SpeechFailure } from './index.ts'
import { apiKey, newJobActor } from './model-client.fixture.ts'
import { neverRespond, resetConnection, respondWithError, respondWithHtml } from './model-server.stand-in.ts'
import { createTestSpeechClients, speechProvider } from './speech.fixture.ts'
import { type SpeechBehavior, startSpeechServer } from './speech-server.stand-in.ts'

const session = { instructions: 'You are a buyer.', voice: 'marin', speed: 1.1, language: 'de' }

test('a browser can start a call with the credential', async () => {
  const server = await startSpeechServer()
  const { realtime, logText } = createTestSpeechClients()

  const result = await realtime.createCredential(newJobActor(), speechProvider(server.baseUrl), session)

  assert.ok('credential' in result)
  const { value, expiresAt, connect } = result.credential
  assert.deepEqual(connect, {
    transport: 'webrtc',
    url: `${server.baseUrl}/realtime/calls`,
    model: 'speech-1',
    voice: 'marin',
  })
  const lifetimeSeconds = (expiresAt.getTime() - Date.now()) / 1_000
  assert.ok(lifetimeSeconds > 55 && lifetimeSeconds <= 60, `${lifetimeSeconds} s`)
  const call = (secret: string) =>
    fetch(connect.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/sdp' },
      body: 'v=0\r\n',
    })
  assert.deepEqual([(await call(value)).status, (await call('ek_unknown')).status], [201, 401])
  assert.ok(!logText().includes(value) && !logText().includes(apiKey))
})

test('the request contains the session and no more than it', async () => {
  const server = await startSpeechServer()
  const { realtime } = createTestSpeechClients()

  await realtime.createCredential(newJobActor(), speechProvider(server.baseUrl), session)
  await realtime.createCredential(newJobActor(), speechProvider(server.baseUrl), {
    instructions: 'You are a buyer.',
    voice: null,
    speed: null,
    language: null,
    transcriptionModel: 'listener-2',
  })

  assert.deepEqual(
    server.secretRequests.map(({ authorization }) => authorization),
    Array(2).fill(`Bearer ${apiKey}`),
  )
  const expires_after = { anchor: 'created_at', seconds: 60 }
  const common = { type: 'realtime', model: 'speech-1', instructions: 'You are a buyer.' }
  assert.deepEqual(
    server.secretRequests.map(({ body }) => body),
    [
      {
        expires_after,
        session: {
          ...common,
          audio: {
            input: { transcription: { model: 'whisper-1', language: 'de' } },
            output: { voice: 'marin', speed: 1.1 },
          },
        },
      },
      {
        expires_after,
        session: { ...common, audio: { input: { transcription: { model: 'listener-2' } }, output: {} } },
      },
    ],
  )
})

test('a credential that is valid for longer than 15 minutes is rejected', async () => {
  const inSeconds = (seconds: number) => ({ expires_at: Math.floor(Date.now() / 1_000) + seconds })
  const request = async (credential: object) => {
    const { baseUrl } = await startSpeechServer({ credential })
    return await createTestSpeechClients().realtime.createCredential(newJobActor(), speechProvider(baseUrl), session)
  }

  assert.ok('credential' in (await request(inSeconds(600))))
  assert.deepEqual(await request(inSeconds(86_400)), { failure: 'invalid_output', detail: 'lifetime' })
})

const sendBody =
  (body: string): SpeechBehavior =>
  (response) =>
    response.end(body)

const failures: [string, SpeechBehavior, SpeechFailure][] = [
  ['HTML', respondWithHtml, { failure: 'invalid_output', detail: 'JSON' }],
  ['no value', sendBody('{"expires_at":1}'), { failure: 'invalid_output', detail: 'schema' }],
  ['a line break', sendBody('{"value":"ek_1\\n","expires_at":1}'), { failure: 'invalid_output', detail: 'schema' }],
  ['status 401', respondWithError(401), { failure: 'provider_error', detail: 'status 401' }],
  ['a connection that is reset', resetConnection, { failure: 'provider_error', detail: 'connect' }],
  ['more than 256 KiB', sendBody('x'.repeat(300_000)), { failure: 'provider_error', detail: 'too_large' }],
]

for (const [description, behavior, failure] of failures) {
  test(`no credential is created if the provider returns ${description}`, async () => {
    const { baseUrl } = await startSpeechServer({ behaviors: [behavior] })
    const { realtime, logText } = createTestSpeechClients()

    const result = await realtime.createCredential(newJobActor(), speechProvider(baseUrl), session)

    assert.deepEqual(result, failure)
    assert.ok(!logText().includes(apiKey))
  })
}

test('status 500 is retried once, and a provider that does not respond in time is a timeout', async () => {
  const failing = await startSpeechServer({
    behaviors: Array(2).fill(respondWithError(500, { 'retry-after': '0' })),
  })
  const silent = await startSpeechServer({ behaviors: [neverRespond] })
  const create = (baseUrl: string) =>
    createTestSpeechClients({ timeoutMs: 200 }).realtime.createCredential(
      newJobActor(),
      speechProvider(baseUrl),
      session,
    )

  assert.deepEqual(await create(failing.baseUrl), { failure: 'provider_error', detail: 'status 500' })
  assert.equal(failing.requests(), 2)
  assert.deepEqual(await create(silent.baseUrl), { failure: 'timeout', detail: 'timeout' })
})

test('credentials count as model requests of the user', async () => {
  const { baseUrl } = await startSpeechServer()
  const { realtime } = createTestSpeechClients({ clock: createTestClock() })
  const actor = { ...newJobActor(), userId: newId() } as Actor
  const create = () => realtime.createCredential(actor, speechProvider(baseUrl), session)

  for (let count = 0; count < 30; count++) assert.ok('credential' in (await create()))

  await assert.rejects(create(), { status: 429, code: 'rate_limited' })
})
