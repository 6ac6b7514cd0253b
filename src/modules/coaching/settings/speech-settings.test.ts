import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { createSecretBox, generateKeyEntry } from '#platform/secrets'
import { startTestApp } from '#testing'
import { readSpeechProvider } from './speech-settings.ts'

const { tenant, services, db } = await startTestApp()
const url = '/api/admin/settings'
const voice = { base_url: 'https://speech.example.com/v1', model: 'realtime-1', api_key: 'sk-voice' }
const transcription = { base_url: 'https://text.example.com/v1', model: 'whisper-1', api_key: 'sk-transcription' }

test('each workspace has its own providers of speech, and their keys are never returned', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  const { status, body, text } = await acme.admin.patch(url, { enablement_media: { voice, transcription } })

  const read = (id: string, service: 'voice' | 'transcription') =>
    inTenant(db, systemActor(id), (tx) => readSpeechProvider(tx, services.secrets, service))
  assert.deepEqual(
    [status, body.enablement_media.voice],
    [200, { base_url: voice.base_url, model: 'realtime-1', has_api_key: true }],
  )
  assert.doesNotMatch(text, /sk-voice|sk-transcription/)
  assert.deepEqual(await read(acme.id, 'voice'), {
    baseUrl: 'https://speech.example.com/v1',
    model: 'realtime-1',
    apiKey: 'sk-voice',
  })
  assert.deepEqual((await read(acme.id, 'transcription'))?.apiKey, 'sk-transcription')
  assert.equal(await read(beta.id, 'voice'), null)
  const otherBox = createSecretBox(generateKeyEntry('other'))
  await assert.rejects(
    inTenant(db, systemActor(acme.id), (tx) => readSpeechProvider(tx, otherBox, 'voice')),
    { name: 'SecretDecryptionError' },
  )
})

test('a key is deleted when the base URL of its provider changes, and that of the other provider stays', async () => {
  const acme = await tenant()
  await acme.admin.patch(url, { enablement_media: { voice, transcription } })

  const { body } = await acme.admin.patch(url, {
    enablement_media: { voice: { base_url: 'https://other.example.com/v1' } },
  })

  assert.deepEqual(
    [body.enablement_media.voice.has_api_key, body.enablement_media.transcription.has_api_key],
    [false, true],
  )
})

test('providers need a model, https and a fresh sign-in', async () => {
  const acme = await tenant()
  const patch = (change: object) => acme.admin.patch(url, { enablement_media: { voice: change } })

  const incomplete = await patch({ base_url: voice.base_url })
  const insecure = await patch({ ...voice, base_url: 'http://speech.example.com/v1' })
  await acme.sql(
    `update identity.sessions set authenticated_at = authenticated_at - interval '16 minutes' where id = $1`,
    [acme.admin.sessionId],
  )
  const stale = await patch(voice)

  assert.deepEqual(
    [incomplete.status, incomplete.body.errors[0].path, incomplete.body.errors[0].code],
    [422, '/enablement_media/voice/model', 'required'],
  )
  assert.equal(insecure.status, 422)
  assert.deepEqual([stale.status, stale.body.code], [403, 'reauthentication_required'])
})

test('retention and minutes of voice calls have defaults and limits', async () => {
  const acme = await tenant()
  const read = async () => (await acme.admin.get(url)).body.enablement
  const before = await read()

  const changed = await acme.admin.patch(url, { enablement: { voice_minutes_per_user_day: 0 } })
  const invalid = await acme.admin.patch(url, { enablement: { video_retention_days: 0 } })

  assert.partialDeepStrictEqual(before, {
    transcript_retention_days: 365,
    video_retention_days: 180,
    practice_retention_days: 30,
    voice_minutes_per_user_day: 60,
    voice_minutes_per_tenant_day: 1_000,
  })
  assert.deepEqual([changed.status, (await read()).voice_minutes_per_user_day], [200, 0])
  assert.equal(invalid.status, 422)
})
