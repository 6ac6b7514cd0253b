import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTenantSchedule, startTestApp } from '#testing'
import { mp4 } from '../../platform/files/formats/sample-files.fixture.ts'
import { type Acme, personasUrl, sessionsUrl } from '../coaching/coaching.fixture.ts'
import { practicePrivately, withdrawPractice } from '../coaching/private-practice.fixture.ts'
import { finishRoleplaysSchedule } from '../coaching/roleplays/finish-roleplays.jobs.ts'
import { roleplayActions } from '../coaching/roleplays/roleplay.fixture.ts'
import { createRequest } from '../experts/experts.fixture.ts'
import { impersonate } from '../identity/sign-in/impersonation/impersonation.fixture.ts'
import {
  createPractice,
  createPrompt,
  createTake,
  pitchFiles,
  pitchUrl,
  practiceUrl,
  scoresOf,
  submissionUrl,
  submitTake,
} from '../pitches/pitches.fixture.ts'
import { deletePitchVideosSchedule } from '../pitches/videos/delete-videos.jobs.ts'

const app = await startTestApp()
const { tenant, clock, services } = app
const { start, converse, createExercise } = roleplayActions
const idsIn = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)

test('an impersonating admin cannot create evidence about the user', async () => {
  const acme = await tenant()
  const scenario = await createExercise(acme)
  const roleplay = await start(acme.member, scenario)
  const prompt = await createPrompt(acme, { reviewer_ids: [acme.member.userId] })
  const [take, draft] = [await submitTake(acme.manager, prompt), await createTake(acme.member, prompt)]
  const { body: session } = await acme.manager.post(`${scenario.url}/sessions`, { rep_id: acme.member.userId })
  const request = await createRequest(acme.member)
  const impersonator = await impersonate(acme, acme.member)
  const before = await acme.events()

  const responses = {
    start: await impersonator.post(`${scenario.url}/roleplay/start`),
    message: await impersonator.post(`${roleplay.url}/message`, { text: 'Hello.' }),
    finish: await impersonator.post(`${roleplay.url}/finish`, {}),
    call: await impersonator.post(`${personasUrl}/${scenario.persona_id}/voice-call/start`),
    session: await impersonator.patch(`${sessionsUrl}${session.id}`, { rep_reflection: 'Good.' }),
    take: await impersonator.post(`${prompt.url}/submissions`, { transcript: 'Hello.' }),
    practice: await impersonator.post(practiceUrl, { transcript: 'Hello.' }),
    upload: await impersonator.post(`${submissionUrl(draft.id)}/upload`),
    change: await impersonator.patch(draft.url, { exemplar_consent: true }),
    evaluation: await impersonator.post(`${take.url}/evaluate`),
    review: await impersonator.post(`${take.url}/review`, { scores: scoresOf(80, 90), decision: 'approved' }),
    comment: await impersonator.post(`${take.url}/comments`, { body: 'Good.' }),
    rating: await impersonator.patch(request.url, { rating: 5 }),
  }

  for (const [name, { status, body }] of Object.entries(responses))
    assert.deepEqual([status, body.code], [403, 'impersonation_not_allowed'], name)
  assert.deepEqual(await acme.events(), before)
})

test('an impersonating admin does not see private practice of the user', async () => {
  const acme = await tenant()
  const { member } = acme
  const scenario = await createExercise(acme)
  const [shared, hidden] = [await start(member, scenario), await start(member, scenario, { is_private: true })]
  const [requested, practice] = [
    await createPractice(member, { transcript: 'Hello.', review_requested: true }),
    await createPractice(member, { transcript: 'Hello.' }),
  ]
  const impersonator = await impersonate(acme, member)
  const statusOf = async (url: string) => (await impersonator.get(url)).status

  assert.deepEqual([await statusOf(shared.url), await statusOf(requested.url)], [200, 200])
  for (const url of [hidden.url, `${sessionsUrl}${hidden.id}`, practice.url, `${practice.url}/video`])
    assert.equal(await statusOf(url), 404)
  assert.equal((await impersonator.post(`${hidden.url}/live-analysis`)).status, 404)
  assert.equal((await impersonator.delete(practice.url)).status, 404)
  for (const query of ['', `?rep_id=${member.userId}`])
    assert.deepEqual(idsIn(await impersonator.get(`${sessionsUrl}${query}`)), [shared.id])
  assert.deepEqual(idsIn(await impersonator.get(`${pitchUrl}my-submissions`)), [requested.id])
  assert.deepEqual(idsIn(await member.get(sessionsUrl)), [hidden.id, shared.id])
  assert.deepEqual(idsIn(await member.get(`${pitchUrl}my-submissions`)), [practice.id, requested.id])
})

test('the profile of a user does not show practice to colleagues', async () => {
  const acme = await tenant()
  const { member } = acme
  const scenario = await createExercise(acme)
  for (const is_private of [false, true]) {
    const roleplay = await start(member, scenario, { is_private })
    await member.post(`${roleplay.url}/finish`, {})
  }
  await createPractice(member, { transcript: 'Hello.' })
  await submitTake(member, await createPrompt(acme))
  const actionsFor = async (user: typeof member): Promise<string[]> => {
    const { body } = await user.get(`/api/users/${member.userId}/profile`)
    return body.recent_activity.map(({ action }: { action: string }) => action)
  }

  assert.ok((await actionsFor(member)).includes('pitch_submission.submitted'))
  for (const user of [acme.viewer, await acme.person('member')]) assert.deepEqual(await actionsFor(user), [])
})

const practiceTypes = /^(coaching_session|pitch_submission|file|task)\./
const practiceActionsOf = async (acme: Acme): Promise<string[]> =>
  (await acme.audit()).filter((action) => practiceTypes.test(action))

test('private practice has no audit entries, no events and no counts, whatever its owner or a job does', async () => {
  const acme = await tenant()
  const { member } = acme
  const { pitchId } = await practicePrivately(app, acme)
  const scenario = await createExercise(acme)
  const [long, short] = [
    await start(member, scenario, { is_private: true }),
    await start(member, scenario, { is_private: true }),
  ]
  await converse(member, long)
  const idle = `update enablement.coaching_sessions set last_activity_at = $2::timestamptz - interval '2 days' where tenant_id = $1`
  await acme.sql(idle, [acme.id, clock.now()])
  await runTenantSchedule(app, finishRoleplaysSchedule(services))
  const expired = await createPractice(member)
  await pitchFiles(app, acme).upload(member, expired.id, { content: mp4, transcript: 'Hello.' })
  const old = `update enablement.pitch_submissions set submitted_at = $2::timestamptz - interval '400 days' where id = $1`
  await acme.sql(old, [expired.id, clock.now()])
  await runTenantSchedule(app, deletePitchVideosSchedule(services))
  const statuses = [(await member.get(long.url)).body.status, (await member.get(short.url)).body.status]
  const { records } = (await acme.admin.get('/api/admin/system-stats')).body
  const video = await pitchFiles(app, acme).download(member, expired.id)
  const deletion = await member.delete(submissionUrl(pitchId))

  assert.deepEqual([...statuses, video.status, deletion.status], ['finished', 'abandoned', 410, 204])
  assert.deepEqual(await practiceActionsOf(acme), [])
  assert.deepEqual(
    (await acme.events()).filter((type) => practiceTypes.test(type)),
    [],
  )
  for (const table of ['coaching_sessions', 'roleplay_messages', 'pitch_submissions', 'pitch_comments'])
    assert.equal(records[`enablement.${table}`].count, 0, table)
  const [admin, impersonator] = [acme.admin, await impersonate(acme, member)]
  const readNotifications = async (user: Pick<typeof member, 'get'>) => await user.get('/api/auth/notifications')
  assert.deepEqual((await readNotifications(admin)).body.items, [])
  assert.equal((await readNotifications(impersonator)).body.code, 'impersonation_not_allowed')
})

test('practice that becomes private again has a last audit entry without values, and its reviewer learns nothing more', async () => {
  const acme = await tenant()
  const { member, manager } = acme
  const url = submissionUrl(await withdrawPractice(acme))
  const told = (await manager.get('/api/auth/notifications')).body.items.length
  const before = await practiceActionsOf(acme)
  const [comment] = (await member.get(url)).body.comments

  assert.equal((await member.post(`${url}/comments`, { body: 'Thanks.', parent_id: comment.id })).status, 201)
  await member.post(`${url}/evaluate`)
  await member.delete(url)

  assert.deepEqual(await practiceActionsOf(acme), before)
  assert.deepEqual(before.slice(-2), ['pitch_submission.commented', 'pitch_submission.updated'])
  const { items } = (await acme.admin.get('/api/admin/audit-log?action=pitch_submission.updated')).body
  assert.deepEqual([items[0].resource_label, items[0].changes], [null, null])
  assert.equal((await manager.get('/api/auth/notifications')).body.items.length, told)
})
