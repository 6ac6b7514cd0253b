import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { impersonate } from '../identity/impersonation/impersonation.fixture.ts'
import { personasUrl, sessionsUrl } from './coaching.fixture.ts'
import { roleplayActions } from './coaching-roleplay/roleplay.fixture.ts'
import { createRequest } from './experts.fixture.ts'
import {
  createPractice,
  createPrompt,
  createTake,
  pitchUrl,
  practiceUrl,
  scoresOf,
  submissionUrl,
  submitTake,
} from './pitch.fixture.ts'

const { tenant } = await startTestApp()
const { start, createExercise } = roleplayActions
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
