import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { runTenantSchedule, startTestApp } from '#testing'
import { purgeOldRowsSchedule } from '../../operations/retention/retention.jobs.ts'
import {
  type Acme,
  createPractice,
  createPrompt,
  createTake,
  createTeam,
  pitchUrl,
  practiceUrl,
  queueUrl,
  review,
  submitTake,
} from '../pitches.fixture.ts'

const app = await startTestApp()
const { tenant, services } = app
const mineUrl = `${pitchUrl}my-submissions`
const statusOf = async (user: Acme['member'], { url }: { url: string }) => (await user.get(url)).status
const idsIn = async (user: Acme['member'], url: string) =>
  (await user.get(url)).body.items.map(({ id }: { id: string }) => id)
const submissionEvents = async (acme: Acme) =>
  (await acme.events()).filter((type) => type.startsWith('pitch_submission')).map((type) => type.split('.')[1])

test('a take is a draft until it has a transcript or an upload', async () => {
  const acme = await tenant()
  const prompt = await createPrompt(acme, { time_limit_seconds: 60 })

  const draft = await createTake(acme.member, prompt, { title: 'First', duration_seconds: 42.5 })
  const other = await submitTake(acme.manager, prompt)

  const { body } = await acme.member.get(draft.url)
  assert.partialDeepStrictEqual(body, {
    status: 'draft',
    take_no: 1,
    title: 'First',
    duration_seconds: 42.5,
    prompt_id: prompt.id,
    prompt: { title: 'Elevator pitch', time_limit_seconds: 60 },
    user: { id: acme.member.userId, name: acme.member.name },
    is_practice: false,
    evaluation_state: 'none',
    evaluation: null,
    video: null,
    transcript: null,
    submitted_at: null,
    criteria_version: 1,
    passing_score: 70,
    reviews: [],
    comments: [],
  })
  assert.equal(other.status, 'submitted')
  assert.equal((await acme.member.post(`${draft.url}/evaluate`)).body.code, 'not_submitted')
  assert.equal((await review(acme.manager, draft)).body.code, 'not_submitted')
  assert.deepEqual(await submissionEvents(acme), ['created', 'created', 'submitted'])
})

test('enablement-6-8 a returned take is followed by another one, up to the limit', async () => {
  const acme = await tenant()
  const prompt = await createPrompt(acme)
  const first = await submitTake(acme.member, prompt)
  assert.equal((await review(acme.manager, first, { decision: 'returned' })).status, 201)
  assert.equal((await acme.member.get(first.url)).body.status, 'returned')

  const takes = [await submitTake(acme.member, prompt)]
  for (let take = 3; take <= 5; take++) takes.push(await submitTake(acme.member, prompt))
  const sixth = await acme.member.post(`${prompt.url}/submissions`, {})

  assert.deepEqual(
    takes.map(({ take_no }) => take_no),
    [2, 3, 4, 5],
  )
  assert.deepEqual([sixth.status, sixth.body.code], [409, 'no_takes_left'])
  assert.equal((await submitTake(acme.manager, prompt)).take_no, 1)
})

test('enablement-6-8 of two takes created at the same time one is created, and the other names the draft', async () => {
  const acme = await tenant()
  const prompt = await createPrompt(acme)

  const responses = await Promise.all([1, 2].map(() => acme.member.post(`${prompt.url}/submissions`, {})))

  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 409])
  const [created, rejected] = responses.toSorted((one, other) => one.status - other.status)
  assert.deepEqual([rejected!.body.code, rejected!.body.submission_id], ['draft_exists', created!.body.id])
})

test('a deleted draft can be repeated, a deleted take counts', async () => {
  const acme = await tenant()
  const prompt = await createPrompt(acme, { max_takes: 1 })
  const draft = await createTake(acme.member, prompt)
  assert.equal((await acme.member.delete(draft.url)).status, 204)
  const take = await submitTake(acme.member, prompt)

  assert.equal(take.take_no, 1)
  assert.equal((await acme.member.delete(take.url)).body.code, 'already_submitted')
  await review(acme.manager, take, { decision: 'returned' })
  assert.equal((await acme.member.delete(take.url)).status, 204)
  assert.equal(await statusOf(acme.member, take), 404)
  assert.deepEqual(await idsIn(acme.member, mineUrl), [])
  assert.equal((await acme.member.post(`${prompt.url}/submissions`, {})).body.code, 'no_takes_left')
  const { rows } = await acme.sql(
    'select transcript, human_score, (select count(*)::int from enablement.pitch_reviews) as reviews from enablement.pitch_submissions where id = $1',
    [take.id],
  )
  assert.deepEqual(rows[0], { ...rows[0], transcript: null, human_score: null })
  await acme.sql(`update enablement.pitch_submissions set deleted_at = now() - interval '400 days' where id = $1`, [
    take.id,
  ])
  await runTenantSchedule(app, purgeOldRowsSchedule(services))
  assert.equal((await acme.member.post(`${prompt.url}/submissions`, {})).body.code, 'no_takes_left')
})

test('prompts must be active, and drafts of prompts are hidden from members', async () => {
  const acme = await tenant()
  const [draft, archived] = [
    await createPrompt(acme, { status: 'draft' }),
    await createPrompt(acme, { status: 'archived' }),
  ]
  const post = async (user: Acme['member'], { url }: { url: string }) => {
    const { status, body } = await user.post(`${url}/submissions`, {})
    return [status, body.code]
  }

  assert.deepEqual(await post(acme.member, draft), [404, 'not_found'])
  assert.deepEqual(await post(acme.manager, draft), [409, 'prompt_not_active'])
  assert.deepEqual(await post(acme.member, archived), [409, 'prompt_not_active'])
})

test('own submissions are listed newest first, with open assignments', async () => {
  const acme = await tenant()
  const assign = { user_ids: [acme.member.userId], due_on: '2030-01-31' }
  const [later, sooner] = [
    await createPrompt(acme, { title: 'Later', assign }),
    await createPrompt(acme, { title: 'Sooner', assign: { ...assign, due_on: '2029-01-31' } }),
  ]
  await createPrompt(acme, { title: 'Archived', status: 'archived', assign })
  const undated = await createPrompt(acme, { title: 'Undated', assign: { user_ids: [acme.member.userId] } })
  const take = await submitTake(acme.member, later)
  const practice = await createPractice(acme.member)
  await submitTake(acme.manager, later)

  const { body } = await acme.member.get(mineUrl)

  assert.deepEqual(
    body.assignments.map(({ prompt, due_on, takes }: { prompt: { title: string }; due_on: string; takes: number }) => [
      prompt.title,
      due_on,
      takes,
    ]),
    [
      ['Sooner', '2029-01-31', 0],
      ['Later', '2030-01-31', 1],
      ['Undated', null, 0],
    ],
  )
  assert.deepEqual([body.total, body.items.map(({ id }: { id: string }) => id)], [2, [practice.id, take.id]])
  assert.equal(body.items[1].due_on, '2030-01-31')
  assert.deepEqual(await idsIn(acme.member, `${mineUrl}?prompt_id=${later.id}`), [take.id])
  assert.deepEqual(await idsIn(acme.member, `${mineUrl}?prompt_id=${undated.id}`), [])
  assert.deepEqual(await idsIn(acme.member, `${mineUrl}?status=draft`), [practice.id])
  const { next_cursor } = (await acme.member.get(`${mineUrl}?limit=1`)).body
  assert.deepEqual(await idsIn(acme.member, `${mineUrl}?limit=1&cursor=${next_cursor}`), [take.id])
  assert.deepEqual(sooner.id, body.assignments[0].prompt_id)
})

test('enablement-6-6 practice is private until its author requests a review', async () => {
  const acme = await tenant()
  const { lead, seller, colleague } = await createTeam(acme)
  const practice = await createPractice(seller, { transcript: 'Hello there.', topic: 'Our dashboard' })
  const queue = `${queueUrl}?include_practice=true`

  for (const user of [lead, acme.manager, acme.admin, colleague]) {
    assert.equal(await statusOf(user, practice), 404)
    assert.equal((await user.post(`${practice.url}/comments`, { body: 'Nice' })).status, 404)
    assert.deepEqual(await idsIn(user, queue), [])
  }
  assert.deepEqual(await submissionEvents(acme), [])
  const requested = await seller.patch(practice.url, { review_requested: true })
  assert.equal(requested.status, 200, requested.text)
  assert.deepEqual(await idsIn(lead, queue), [practice.id])
  assert.deepEqual(await idsIn(acme.admin, queue), [practice.id])
  assert.deepEqual(await idsIn(lead, queueUrl), [])
  assert.deepEqual([await statusOf(lead, practice), await statusOf(colleague, practice)], [200, 404])
  const { body } = await lead.get(practice.url)
  assert.deepEqual(
    [body.prompt, body.prompt_id, body.take_no, body.criteria.map(({ weight }: { weight: number }) => weight)],
    [{ title: 'Our dashboard', time_limit_seconds: null }, null, null, [30, 30, 40]],
  )
  const notices = (await lead.get('/api/auth/notifications')).body.items.map(({ kind }: { kind: string }) => kind)
  assert.deepEqual(notices, ['pitch.review_requested'])
  await seller.patch(practice.url, { review_requested: false })
  assert.equal(await statusOf(lead, practice), 404)
})

test('practice can use the criteria of an active prompt', async () => {
  const acme = await tenant()
  const prompt = await createPrompt(acme)
  const archived = await createPrompt(acme, { status: 'archived' })

  const practice = await createPractice(acme.member, { prompt_id: prompt.id })
  const { body } = await acme.member.get(practice.url)

  assert.deepEqual([body.prompt_id, body.criteria.length, body.status], [prompt.id, 2, 'draft'])
  for (const prompt_id of [archived.id, newId()]) {
    const { status, body: problem } = await acme.member.post(practiceUrl, { prompt_id })
    assert.deepEqual([status, problem.errors[0].code], [422, 'unknown_reference'])
  }
  assert.equal((await createTake(acme.member, prompt)).take_no, 1)
})

test('managers delete submissions, leads do not, and titles are changed by their author', async () => {
  const acme = await tenant()
  const { lead, seller, colleague } = await createTeam(acme)
  const prompt = await createPrompt(acme)
  const [take, practice] = [await submitTake(seller, prompt), await createPractice(seller)]

  assert.equal((await lead.patch(take.url, { title: 'Mine' })).status, 403)
  assert.equal((await seller.patch(take.url, { title: 'Mine' })).body.title, 'Mine')
  assert.equal((await seller.patch(take.url, { review_requested: true })).status, 422)
  assert.equal((await seller.patch(take.url, { title: 'Stale' }, { 'if-match': '"1"' })).status, 412)
  assert.equal((await lead.delete(take.url)).status, 403)
  assert.equal((await colleague.delete(take.url)).status, 404)
  assert.equal((await acme.manager.delete(practice.url)).status, 404)
  assert.equal((await acme.manager.delete(take.url)).status, 204)
  assert.equal((await seller.delete(practice.url)).status, 204)
  assert.deepEqual(await idsIn(seller, mineUrl), [])
})

test('invalid submissions are rejected, and other workspaces see nothing', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const prompt = await createPrompt(acme)
  const take = await submitTake(acme.member, prompt)
  const statusFor = async (fields: object) => (await acme.member.post(`${prompt.url}/submissions`, fields)).status

  for (const fields of [
    { transcript: '' },
    { transcript: '  ' },
    { duration_seconds: 0 },
    { duration_seconds: 3_601 },
    { title: 'x'.repeat(151) },
    { status: 'reviewed' },
  ])
    assert.equal(await statusFor(fields), 422, JSON.stringify(fields))
  assert.equal((await acme.viewer.post(`${prompt.url}/submissions`, {})).status, 403)
  assert.equal((await other.member.post(`${prompt.url}/submissions`, {})).status, 404)
  for (const user of [other.member, other.admin, acme.viewer]) assert.equal(await statusOf(user, take), 404)
  assert.equal((await other.admin.patch(take.url, { title: 'x' })).status, 404)
  assert.equal((await other.admin.delete(take.url)).status, 404)
})
