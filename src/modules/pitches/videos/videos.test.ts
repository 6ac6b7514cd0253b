import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { test } from 'node:test'
import { runTenantSchedule, startTestApp, waitUntil } from '#testing'
import { mp4, wav } from '../../../platform/files/formats/sample-files.fixture.ts'
import { pitchCriteria, workedPitch } from '../../coaching/criteria/criteria.fixture.ts'
import {
  type Acme,
  createPractice,
  createPrompt,
  createTake,
  createTeam,
  pitchFiles,
  submissionUrl,
  submitTake,
} from '../pitches.fixture.ts'
import { deletePitchVideosSchedule } from './delete-videos.jobs.ts'

const app = await startTestApp()
const { tenant, services, systemDb, db, startTestWorker } = app
await startTestWorker()

async function startWorkspace(fields: object = {}) {
  const acme = await tenant()
  const team = await createTeam(acme)
  const prompt = await createPrompt(acme, { assign: { user_ids: [team.seller.userId] }, ...fields })
  return { acme, ...team, prompt, ...pitchFiles(app, acme) }
}

async function storedKeys({ id }: Acme): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of services.storage.list(`${id}/`)) keys.push(key)
  return keys
}

test('enablement-6-1 an assigned pitch is uploaded, evaluated by rules and played in parts', async () => {
  const { seller, lead, prompt, upload, download } = await startWorkspace({
    criteria: pitchCriteria,
    time_limit_seconds: 1_800,
  })
  const take = await createTake(seller, prompt)
  const recording = {
    content: mp4,
    transcript: workedPitch.messages[0]!.text,
    duration_seconds: workedPitch.durationSeconds,
  }

  const uploaded = await upload(seller, take.id, recording)
  const evaluated = await seller.post(`${take.url}/evaluate`)
  const part = await download(lead, take.id, { range: 'bytes=4-11' })

  assert.equal(uploaded.status, 201, JSON.stringify(uploaded.body))
  assert.partialDeepStrictEqual(uploaded.body, {
    status: 'submitted',
    has_video: true,
    transcript_source: 'supplied',
    duration_seconds: 3_000,
    video: { media_type: 'video/mp4', size_bytes: mp4.length, duration_seconds: 3_000, deleted_at: null },
  })
  assert.deepEqual([evaluated.status, evaluated.body.engine, evaluated.body.overall], [200, 'rules', 68])
  assert.partialDeepStrictEqual(evaluated.body, {
    insufficient: false,
    metrics: { words: 8_600, pace_wpm: 172, filler_per_100: 4.5, duration_seconds: 3_000, over_limit: true },
    criteria_version: 1,
    lexicon: 'en-1',
    model: null,
    fallback_reason: null,
  })
  assert.deepEqual([part.status, part.bytes], [206, mp4.subarray(4, 12)])
  assert.equal(part.headers['content-range'], `bytes 4-11/${mp4.length}`)
  const { body } = await seller.get(take.url)
  assert.deepEqual([body.evaluation_state, body.ai_score, body.final_score, body.passed], ['done', 68, 68, false])
  assert.deepEqual(body.evaluation, evaluated.body)
})

test('a recording can be audio, and a transcript alone is enough', async () => {
  const { seller, prompt, upload, download, send } = await startWorkspace()
  const take = await createTake(seller, prompt)

  const audio = await upload(seller, take.id, { filename: 'pitch.wav', content: wav })
  const file = await download(seller, take.id)
  const head = await send('HEAD', `${submissionUrl(take.id)}/video`, { authorization: `Bearer ${seller.accessToken}` })
  const second = await createTake(seller, prompt)
  const text = await upload(seller, second.id, { transcript: `${'ä'.repeat(40_000)} end`, duration_seconds: '12.5' })
  const missing = await download(seller, second.id)

  assert.deepEqual([audio.status, audio.body.has_transcript, audio.body.video.media_type], [201, false, 'audio/wav'])
  assert.deepEqual([file.status, file.bytes, file.headers['content-type']], [200, wav, 'audio/wav'])
  assert.deepEqual([head.status, head.headers['content-length'], head.bytes.length], [200, String(wav.length), 0])
  assert.deepEqual([text.status, text.body.duration_seconds, text.body.video], [201, 12.5, null])
  assert.deepEqual([missing.status, missing.body.code], [404, 'not_found'])
})

test('enablement-6-3 only videos and audio files of up to 1 GiB are accepted, once', async () => {
  const { acme, seller, lead, prompt, upload } = await startWorkspace()
  const take = await createTake(seller, prompt)
  const html = Buffer.from('<!doctype html><title>x</title>')

  const renamed = await upload(seller, take.id, { content: html })
  const empty = await upload(seller, take.id, {})
  const foreign = await upload(lead, take.id, { content: mp4 })
  const long = await upload(seller, take.id, { transcript: 'x'.repeat(100_001) })
  const large = await sendLarge(acme, seller, take.id, 1.1 * 1_073_741_824)
  assert.deepEqual((await storedKeys(acme)).length, 0)
  const accepted = await upload(seller, take.id, { content: mp4 })
  const second = await upload(seller, take.id, { content: mp4 })

  assert.deepEqual(
    [renamed.status, renamed.body.code, renamed.body.detected],
    [415, 'unsupported_media_type', 'text/html'],
  )
  assert.deepEqual([empty.status, empty.body.errors[0].path], [422, '/video'])
  assert.deepEqual([foreign.status, foreign.body.code], [403, 'role_required'])
  assert.deepEqual([long.status, long.body.errors[0].path], [422, '/transcript'])
  assert.deepEqual([large.status, large.body.code], [413, 'too_large'])
  assert.equal(accepted.status, 201)
  assert.deepEqual([second.status, second.body.code], [409, 'already_submitted'])
  assert.equal((await storedKeys(acme)).length, 1)
})

/** Declares a size that it does not send: the response comes before the body. */
async function sendLarge({ host }: Acme, { accessToken }: Acme['member'], id: string, size: number) {
  const port = Number(new URL(await app.app.listen({ host: '127.0.0.1', port: 0 })).port)
  const headers = {
    host,
    authorization: `Bearer ${accessToken}`,
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': Math.round(size),
  }
  const request = send({ port, host: '127.0.0.1', method: 'POST', path: `${submissionUrl(id)}/upload`, headers })
  request.on('error', () => {})
  request.write('--x\r\nContent-Disposition: form-data; name="video"; filename="a.mp4"\r\n\r\n')
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const text = (await response.toArray()).join('')
  request.destroy()
  return { status: response.statusCode, body: JSON.parse(text) }
}

test('a repeated upload with the same key is answered once', async () => {
  const { acme, seller, prompt, upload } = await startWorkspace()
  const take = await createTake(seller, prompt)
  const key = { 'idempotency-key': 'upload-1' }

  const first = await upload(seller, take.id, { content: mp4 }, key)
  const second = await upload(seller, take.id, { content: mp4 }, key)

  assert.deepEqual([first.status, second.status, second.body.id], [201, 201, take.id])
  assert.equal((await storedKeys(acme)).length, 1)
})

test('a body that is not multipart is 415 and does not use the key', async () => {
  const { seller, prompt, as, send, upload } = await startWorkspace()
  const take = await createTake(seller, prompt)
  const key = { 'idempotency-key': 'upload-1' }
  const json = { 'content-type': 'application/json' }
  const urls = [`${take.url}/upload`, `/api/enablement/content/${take.id}/upload`, '/api/leads/imports']
  const statuses: number[][] = []
  for (const url of urls) {
    const attempts = [
      await send('POST', url, as(seller, key)),
      await send('POST', url, as(seller, { ...key, ...json }), Buffer.from('{}')),
      await send('POST', url, as(seller, { ...key, 'content-type': 'text/plain' }), Buffer.from('pitch')),
      await send('POST', `${url}?speed=2`, as(seller, key)),
      await send('POST', `${url}?speed=2`, as(seller, { ...key, ...json }), Buffer.from('{}')),
    ]
    statuses.push(attempts.map(({ status }) => status))
  }
  const wrongId = await send('POST', `${submissionUrl('1')}/upload`, as(seller, key))
  const uploaded = await upload(seller, take.id, { content: mp4 }, key)
  const repeated = await upload(seller, take.id, { content: mp4 }, key)

  for (const found of statuses) assert.deepEqual(found, [415, 415, 415, 422, 422])
  assert.deepEqual([wrongId.status, wrongId.body.errors[0].in], [422, 'path'])
  assert.deepEqual([uploaded.status, repeated.status, repeated.body.id], [201, 201, uploaded.body.id])
  assert.equal(repeated.headers['idempotency-replayed'], 'true')
})

test('enablement-6-12 a ticket ends with its user', async () => {
  const { acme, seller, lead, prompt, upload, stream } = await startWorkspace()
  const take = await createTake(seller, prompt)
  const uploaded = await upload(seller, take.id, { content: mp4 })
  const ofLead = (await lead.get(take.url)).body.video.stream_url
  const url: string = uploaded.body.video.stream_url

  const range = { range: 'bytes=0-3' }
  assert.deepEqual([(await stream(url)).bytes, (await stream(url, range)).status], [mp4, 206])
  assert.equal((await stream(ofLead)).status, 200)
  assert.equal((await stream(url.replace(/ticket=.*/, 'ticket=nonsense'))).status, 401)
  const other = await createTake(seller, prompt)
  await upload(seller, other.id, { content: wav, filename: 'a.wav' })
  assert.equal((await stream(url.replace(take.id, other.id))).status, 401)
  await acme.admin.patch(`/api/users/${seller.userId}`, { status: 'deactivated' })
  const { status } = await acme
    .sql('select status from identity.users where id = $1', [seller.userId])
    .then(({ rows }) => rows[0])
  assert.notEqual(status, 'active')
  const denied = await stream(url, range)

  assert.deepEqual([denied.status, denied.body.code], [401, 'authentication_required'])
  assert.equal((await stream(ofLead)).status, 200)
})

test('the next request of a ticket is refused when its user no longer sees the pitch', async () => {
  const { acme, seller, colleague, prompt, upload, stream } = await startWorkspace()
  const take = await createTake(seller, prompt)
  await upload(seller, take.id, { content: mp4 })
  await seller.patch(take.url, { exemplar_consent: true })
  await acme.manager.patch(take.url, { is_exemplar: true })
  const url: string = (await colleague.get(take.url)).body.video.stream_url

  assert.equal((await stream(url)).status, 200)
  await seller.patch(take.url, { exemplar_consent: false })
  assert.equal((await stream(url)).status, 404)
})

const expire = ({ sql }: Acme, id: string, days: number) =>
  sql(`update enablement.pitch_submissions set submitted_at = now() - $2 * interval '1 day' where id = $1`, [id, days])
const runRetention = () => runTenantSchedule({ db, systemDb }, deletePitchVideosSchedule(services))

test('enablement-6-10 videos are deleted when their retention ends, and exemplars are kept', async () => {
  const { acme, seller, prompt, upload, download, stream } = await startWorkspace()
  const own = await createPrompt(acme, { retention_days: 7 })
  const record = async (submission: { id: string }) =>
    (await upload(seller, submission.id, { content: mp4, transcript: 'Hello there.' })).body.video.stream_url as string
  const [old, recent, exemplar] = [
    await createTake(seller, prompt),
    await createTake(acme.member, prompt),
    await createTake(acme.manager, prompt),
  ]
  const [short, practice] = [await createTake(seller, own), await createPractice(seller)]
  const url = await record(old)
  for (const submission of [short, practice]) await record(submission)
  await upload(acme.member, recent.id, { content: mp4 })
  await upload(acme.manager, exemplar.id, { content: mp4 })
  await acme.manager.patch(exemplar.url, { exemplar_consent: true })
  await acme.admin.patch(exemplar.url, { is_exemplar: true })
  for (const [submission, days] of [
    [old, 181],
    [recent, 179],
    [exemplar, 400],
    [short, 8],
    [practice, 31],
  ] as const)
    await expire(acme, submission.id, days)

  await runRetention()

  for (const { id } of [old, short, practice]) {
    const gone = await download(seller, id)
    assert.deepEqual([gone.status, gone.body.code], [410, 'video_deleted'])
    const { body } = await seller.get(submissionUrl(id))
    assert.deepEqual([body.transcript, body.video.stream_url], ['Hello there.', null])
    assert.ok(body.video.deleted_at)
  }
  assert.equal((await stream(url)).status, 410)
  assert.equal((await download(acme.member, recent.id)).status, 200)
  assert.equal((await download(acme.manager, exemplar.id)).status, 200)
  await waitUntil(async () => (await storedKeys(acme)).length === 2)
  const events = (await acme.events()).filter((type) => type === 'pitch_submission.video_deleted')
  assert.equal(events.length, 2)
  await runRetention()
  assert.equal((await storedKeys(acme)).length, 2)
})

test('enablement-6-10 the object of deleted practice is gone at once', async () => {
  const { acme, seller, upload, download, stream } = await startWorkspace()
  const practice = await createPractice(seller)
  const { body } = await upload(seller, practice.id, { content: mp4 })

  const removed = await seller.delete(practice.url)

  assert.equal(removed.status, 204)
  assert.equal((await download(seller, practice.id)).status, 404)
  assert.equal((await stream(body.video.stream_url)).status, 404)
  const countRows = () => acme.sql('select from platform.files where tenant_id = $1', [acme.id])
  await waitUntil(async () => (await countRows()).rowCount === 0)
  assert.deepEqual(await storedKeys(acme), [])
})

test('settings of the workspace shorten the retention', async () => {
  const { acme, seller, prompt, upload, download } = await startWorkspace()
  const take = await submitTake(seller, prompt)
  const video = await createTake(seller, prompt)
  await upload(seller, video.id, { content: mp4 })
  await expire(acme, video.id, 3)
  await acme.admin.patch('/api/admin/settings', { enablement: { video_retention_days: 2 } })

  await runRetention()

  assert.equal((await download(seller, video.id)).status, 410)
  assert.equal((await seller.get(take.url)).body.video, null)
})
