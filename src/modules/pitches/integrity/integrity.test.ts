import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitUntil } from '#testing'
import { mp4 } from '../../../platform/files/formats/sample-files.fixture.ts'
import { createIntegrityRunner } from '../../operations/integrity/integrity.fixture.ts'
import {
  createPractice,
  createPrompt,
  createTake,
  pitchFiles,
  pitchUrl,
  review,
  submissionUrl,
  submitTake,
} from '../pitches.fixture.ts'

const app = await startTestApp()
const { tenant, services, startTestWorker } = app
await startTestWorker()
const { find, findAll, assertRepairs } = createIntegrityRunner(services)
const [acme, other] = [await tenant(), await tenant()]
const { upload, download } = pitchFiles(app, acme)
const prompt = await createPrompt(acme, { assign: { user_ids: [acme.member.userId, acme.manager.userId] } })

test('pitches in use have no finding', async () => {
  const [video, text, draft] = [
    await createPractice(acme.member),
    await submitTake(acme.member, prompt),
    await createTake(acme.manager, prompt),
  ]
  await upload(acme.member, video.id, { content: mp4 })
  await review(acme.manager, text)

  assert.equal((await acme.manager.get(draft.url)).status, 200)
  assert.deepEqual(
    (await findAll(acme.id)).filter(({ status }) => status !== 'ok'),
    [],
  )
})

test('a pitch whose file is lost is reported, and a repair marks its recording as deleted', async () => {
  const [missing, removed] = [await createPractice(acme.member), await createPractice(acme.member)]
  for (const { id } of [missing, removed]) await upload(acme.member, id, { content: mp4 })
  await acme.sql(
    `update platform.files set missing_at = now() where id = (select file_id from enablement.pitch_submissions where id = $1)`,
    [missing.id],
  )
  await acme.sql(
    'delete from platform.files where id = (select file_id from enablement.pitch_submissions where id = $1)',
    [removed.id],
  )

  assert.deepEqual(await find(other.id, 'pitch_recording_missing'), [])
  await assertRepairs(acme.id, 'pitch_recording_missing', [missing.id, removed.id])

  for (const { id } of [missing, removed])
    assert.deepEqual((await download(acme.member, id)).body.code, 'video_deleted')
})

test('an assignment that differs from its pitches is reported and corrected', async () => {
  await acme.sql(
    `update enablement.pitch_assignments set status = 'open', best_submission_id = null where user_id = $1`,
    [acme.member.userId],
  )
  const { rows } = await acme.sql('select id from enablement.pitch_assignments where user_id = $1', [
    acme.member.userId,
  ])

  assert.deepEqual(await find(other.id, 'pitch_assignment_outdated'), [])
  await assertRepairs(acme.id, 'pitch_assignment_outdated', [rows[0].id])

  const { body } = await acme.member.get(`${pitchUrl}prompts/`)
  assert.deepEqual([body.items[0].assignment_status, body.items[0].best_score], ['done', 84])
})

test('an erased user leaves no pitch, and only scores in the feedback on pitches of others', async () => {
  const leaving = await acme.person('manager')
  const shared = await createPrompt(acme, { reviewer_ids: [leaving.userId, acme.admin.userId] })
  const own = await createTake(leaving, prompt)
  await upload(leaving, own.id, { content: mp4, transcript: 'Unmistakable words.' })
  await leaving.patch(own.url, { exemplar_consent: true })
  await acme.admin.patch(own.url, { is_exemplar: true })
  await acme.admin.patch(prompt.url, {
    exemplar_submission_id: own.id,
    assign: { user_ids: [leaving.userId] },
  })
  const take = await submitTake(acme.member, shared)
  await review(leaving, take, { comment: 'Good.' })
  await leaving.post(`${take.url}/comments`, { body: 'Nice.' })
  const url = `/api/users/${leaving.userId}`
  await acme.admin.patch(url, { status: 'deactivated' })

  assert.equal((await acme.admin.delete(url)).status, 204)
  await waitUntil(async () => (await acme.admin.get(own.url)).status === 404)

  const { body } = await acme.member.get(take.url)
  assert.deepEqual([body.reviews[0].reviewer, body.reviews[0].comment, body.human_score], [null, null, 84])
  assert.deepEqual([body.comments[0].author, body.comments[0].body], [null, 'This comment was erased.'])
  const { rows } = await acme.sql(
    `select (select count(*)::int from enablement.pitch_submissions where user_id = $1) as submissions,
       (select count(*)::int from enablement.pitch_assignments where user_id = $1) as assignments,
       (select reviewer_ids from enablement.pitch_prompts where id = $2) as reviewers,
       (select exemplar_submission_id from enablement.pitch_prompts where id = $3) as exemplar`,
    [leaving.userId, shared.id, prompt.id],
  )
  assert.deepEqual(rows[0], { submissions: 0, assignments: 0, reviewers: [acme.admin.userId], exemplar: null })
  await waitUntil(async () => {
    const files = await acme.sql('select from platform.files where uploaded_by = $1', [leaving.userId])
    return files.rowCount === 0
  })
  assert.equal((await acme.admin.get(`${submissionUrl(own.id)}/video`)).status, 404)
})
