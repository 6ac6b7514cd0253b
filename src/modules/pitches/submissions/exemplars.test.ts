import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import {
  type Acme,
  createPractice,
  createPrompt,
  createTeam,
  pitchUrl,
  review,
  submitTake,
} from '../pitches.fixture.ts'

const { tenant } = await startTestApp()
const statusOf = async (user: Acme['member'], { url }: { url: string }) => (await user.get(url)).status

test('an exemplar needs the consent of the author and is shown to all users without the feedback', async () => {
  const acme = await tenant()
  const { lead, seller, colleague } = await createTeam(acme)
  const prompt = await createPrompt(acme)
  const take = await submitTake(seller, prompt)
  await review(lead, take)
  const set = (user: Acme['member'], fields: object) => user.patch(take.url, fields)

  assert.deepEqual([(await set(lead, { is_exemplar: true })).body.code], ['consent_required'])
  assert.equal((await set(lead, { exemplar_consent: true })).status, 403)
  assert.equal((await set(seller, { exemplar_consent: true })).status, 200)
  assert.equal((await set(seller, { is_exemplar: true })).status, 403)
  assert.equal((await set(colleague, { is_exemplar: true })).status, 404)
  assert.equal((await set(lead, { is_exemplar: true })).body.is_exemplar, true)
  const shown = await acme.manager.patch(prompt.url, { exemplar_submission_id: take.id })
  assert.equal(shown.body.exemplar_submission_id, take.id)
  const seen = await colleague.get(take.url)
  assert.deepEqual(
    [seen.status, seen.body.reviews, seen.body.final_score, seen.body.passed, seen.body.transcript],
    [200, [], null, null, 'Our setup is simple. Let us meet on Tuesday.'],
  )
  assert.equal((await colleague.post(`${take.url}/comments`, { body: 'Nice' })).status, 403)
  assert.equal((await colleague.post(`${take.url}/evaluate`)).status, 403)
  assert.equal((await review(colleague, take)).status, 403)

  const withdrawn = await set(seller, { exemplar_consent: false })

  assert.deepEqual([withdrawn.body.is_exemplar, withdrawn.body.exemplar_consent], [false, false])
  assert.equal(await statusOf(colleague, take), 404)
  const { body } = await acme.manager.get(`${pitchUrl}prompts/`)
  assert.equal(body.items[0].exemplar_submission_id, null)
})

test('practice that becomes private again is no longer an exemplar', async () => {
  const acme = await tenant()
  const { lead, seller, colleague } = await createTeam(acme)
  const prompt = await createPrompt(acme)
  const fields = { prompt_id: prompt.id, transcript: 'Hello.', review_requested: true }
  const practice = await createPractice(seller, fields)
  await seller.patch(practice.url, { exemplar_consent: true })
  assert.equal((await lead.patch(practice.url, { is_exemplar: true })).status, 200)
  await acme.manager.patch(prompt.url, { exemplar_submission_id: practice.id })
  assert.equal(await statusOf(colleague, practice), 200)

  const { body } = await seller.patch(practice.url, { review_requested: false })

  assert.deepEqual([body.review_requested, body.is_exemplar], [false, false])
  for (const user of [colleague, lead, acme.admin]) assert.equal(await statusOf(user, practice), 404)
  const { items } = (await acme.manager.get(`${pitchUrl}prompts/`)).body
  assert.equal(items[0].exemplar_submission_id, null)
})
