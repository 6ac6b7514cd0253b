import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '#testing'
import { maxAudioBytes, type SpeechFailure, type SpeechProvider } from './index.ts'
import { apiKey, newJobActor } from './model-client.fixture.ts'
import {
  neverRespond,
  redirectTo,
  resetConnection,
  respondWithError,
  respondWithHtml,
  truncateResponse,
} from './model-server.stand-in.ts'
import { createTestSpeechClients, speechProvider } from './speech.fixture.ts'
import { type SpeechBehavior, startSpeechServer } from './speech-server.stand-in.ts'

const audio = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 256))
const recording = { bytes: audio, mediaType: 'audio/ogg', language: 'en' }

const sendBody =
  (body: string): SpeechBehavior =>
  (response) =>
    response.end(body)

test('audio is sent as a form and becomes a transcript with segments', async () => {
  const server = await startSpeechServer()
  const { transcriber, logText } = createTestSpeechClients()

  const result = await transcriber.transcribe(newJobActor(), speechProvider(`${server.baseUrl}/`), recording)

  assert.deepEqual(result, {
    model: 'speech-1',
    transcript: {
      text: 'Good morning. Shall we talk about next steps?',
      segments: [
        { start: 0, end: 3.32, text: 'Good morning.' },
        { start: 3.32, end: 8.47, text: 'Shall we talk about next steps?' },
      ],
      durationSeconds: 8.47,
      isTruncated: false,
    },
  })
  const [{ fields, file, authorization }] = server.forms as [(typeof server.forms)[number]]
  assert.deepEqual(fields, {
    model: 'speech-1',
    response_format: 'verbose_json',
    'timestamp_granularities[]': 'segment',
    language: 'en',
  })
  assert.deepEqual([file?.name, file?.type], ['audio.ogg', 'audio/ogg'])
  assert.deepEqual(Buffer.from(await file!.arrayBuffer()), audio)
  assert.equal(authorization, `Bearer ${apiKey}`)
  assert.ok(!logText().includes(apiKey) && !logText().includes('Good morning'))
})

test('a server may omit segments and duration, and send the duration as text', async () => {
  const transcribe = async (transcription: object) => {
    const { baseUrl } = await startSpeechServer({ transcription })
    const result = await createTestSpeechClients().transcriber.transcribe(
      newJobActor(),
      speechProvider(baseUrl),
      recording,
    )
    return 'transcript' in result ? result.transcript : result
  }

  const empty = { text: '', segments: [], durationSeconds: null, isTruncated: false }
  assert.deepEqual(await transcribe({ text: ' ' }), empty)
  assert.deepEqual(await transcribe({ text: '', segments: null, duration: null }), empty)
  assert.deepEqual(await transcribe({ text: 'Hi', duration: '2.5000001' }), {
    ...empty,
    text: 'Hi',
    durationSeconds: 2.5,
  })
})

test('segments are sorted, and those without text or with an end before their start are dropped', async () => {
  const segments = [
    { start: 4, end: 5, text: 'two' },
    { start: 1, end: 2, text: ' one ' },
    { start: 2, end: 3, text: ' ' },
    { start: 9, end: 8, text: 'three' },
  ]
  const { baseUrl } = await startSpeechServer({ transcription: { text: 'one two', segments } })

  const result = await createTestSpeechClients().transcriber.transcribe(
    newJobActor(),
    speechProvider(baseUrl),
    recording,
  )

  assert.ok('transcript' in result)
  assert.deepEqual(result.transcript.segments, [
    { start: 1, end: 2, text: 'one' },
    { start: 4, end: 5, text: 'two' },
  ])
})

test('a transcript is cut after 100,000 characters, with its segments', async () => {
  const segments = Array.from({ length: 3 }, (_, index) => ({ start: index, end: index + 1, text: 'x'.repeat(40_000) }))
  const text = `${'x'.repeat(99_999)}😀 the rest`
  const { baseUrl } = await startSpeechServer({ transcription: { text, segments } })

  const result = await createTestSpeechClients().transcriber.transcribe(
    newJobActor(),
    speechProvider(baseUrl),
    recording,
  )

  assert.ok('transcript' in result)
  assert.equal(result.transcript.text, 'x'.repeat(99_999))
  assert.deepEqual([result.transcript.segments.length, result.transcript.isTruncated], [2, true])
})

const failures: [string, SpeechBehavior, SpeechFailure][] = [
  ['text instead of JSON', sendBody('Good morning.'), { failure: 'invalid_output', detail: 'JSON' }],
  ['HTML', respondWithHtml, { failure: 'invalid_output', detail: 'JSON' }],
  ['an object without text', sendBody('{}'), { failure: 'invalid_output', detail: 'schema' }],
  ['a NUL character', sendBody('{"text":"a\\u0000b"}'), { failure: 'invalid_output', detail: 'schema' }],
  [
    'a negative time',
    sendBody('{"text":"a","segments":[{"start":-1,"end":0,"text":"a"}]}'),
    { failure: 'invalid_output', detail: 'schema' },
  ],
  ['status 401', respondWithError(401), { failure: 'provider_error', detail: 'status 401' }],
  ['a redirect', redirectTo('http://127.0.0.1:1/'), { failure: 'provider_error', detail: 'redirect' }],
  ['a connection that is reset', resetConnection, { failure: 'provider_error', detail: 'connect' }],
  ['a truncated response', truncateResponse, { failure: 'provider_error', detail: 'connect' }],
  [
    'more than 8 MiB',
    sendBody(`{"text":"${'x'.repeat(8_400_000)}"}`),
    { failure: 'provider_error', detail: 'too_large' },
  ],
]

for (const [description, behavior, failure] of failures) {
  test(`a transcription fails if the provider returns ${description}`, async () => {
    const server = await startSpeechServer({ behaviors: [behavior] })
    const { transcriber, logText } = createTestSpeechClients()

    const result = await transcriber.transcribe(newJobActor(), speechProvider(server.baseUrl), recording)

    assert.deepEqual(result, failure)
    assert.equal(server.requests(), 1)
    assert.ok(!logText().includes(apiKey))
  })
}

test('a transient error is retried once, with the same audio', async () => {
  const server = await startSpeechServer({ behaviors: [respondWithError(503, { 'retry-after': '0' })] })

  const result = await createTestSpeechClients().transcriber.transcribe(
    newJobActor(),
    speechProvider(server.baseUrl),
    recording,
  )

  assert.ok('transcript' in result)
  assert.deepEqual(
    server.forms.map(({ file }) => file?.size),
    [1_000, 1_000],
  )
})

test('a provider that does not respond in time is a timeout', async () => {
  const { baseUrl } = await startSpeechServer({ behaviors: [neverRespond] })
  const { transcriber } = createTestSpeechClients({ timeoutMs: 200 })

  const result = await transcriber.transcribe(newJobActor(), speechProvider(baseUrl), recording)

  assert.deepEqual(result, { failure: 'timeout', detail: 'timeout' })
})

test('an aborted transcription rejects immediately', async () => {
  const server = await startSpeechServer({ behaviors: [neverRespond] })
  const controller = new AbortController()
  const { transcriber } = createTestSpeechClients()
  const pending = transcriber.transcribe(newJobActor(), speechProvider(server.baseUrl), {
    ...recording,
    signal: controller.signal,
  })

  await waitUntil(() => server.requests() > 0)
  controller.abort(new Error('The job has lost its claim.'))

  await assert.rejects(pending, { message: 'The job has lost its claim.' })
})

test('nothing is sent to a private address, and invalid settings are a provider error', async () => {
  const server = await startSpeechServer()
  const transcribe = async (provider: SpeechProvider, isProduction = false) => {
    const { transcriber, logText } = createTestSpeechClients({ isProduction })
    const result = await transcriber.transcribe(newJobActor(), provider, recording)
    assert.ok(!logText().includes(apiKey))
    return 'failure' in result ? result.failure : 'transcript'
  }

  assert.equal(await transcribe(speechProvider(server.baseUrl), true), 'provider_error')
  assert.equal(await transcribe(speechProvider('https://localhost/v1'), true), 'provider_error')
  assert.equal(await transcribe(speechProvider('not a url')), 'provider_error')
  assert.equal(await transcribe(speechProvider(server.baseUrl, { apiKey: `${apiKey}\r\nX-Evil: 1` })), 'provider_error')
  assert.equal(server.requests(), 0)
  assert.equal(await transcribe(speechProvider(server.baseUrl, { apiKey: null })), 'provider_error')
  assert.equal(server.forms[0]?.authorization, undefined)
})

test('a recording that is too large or of another type is not sent', async () => {
  const server = await startSpeechServer()
  const { transcriber } = createTestSpeechClients()
  const transcribe = (change: object) =>
    transcriber.transcribe(newJobActor(), speechProvider(server.baseUrl), { ...recording, ...change })

  await assert.rejects(transcribe({ bytes: Buffer.alloc(maxAudioBytes + 1) }), RangeError)
  await assert.rejects(transcribe({ mediaType: 'application/pdf' }), TypeError)
  assert.equal(server.requests(), 0)
})
