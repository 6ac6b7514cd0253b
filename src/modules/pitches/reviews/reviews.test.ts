import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { mp4 } from '../../../platform/files/formats/sample-files.fixture.ts'
import {
  type Acme,
  createPractice,
  createPrompt,
  createTake,
  createTeam,
  pitchFiles,
  pitchUrl,
  promptCriteria,
  queueUrl,
  review,
  scoresOf,
  submissionUrl,
  submitTake,
} from '../pitches.fixture.ts'

const app = await startTestApp()
const { tenant } = app
const queueOf = async (user: Acme['member'], query = '') =>
  (await user.get(`${queueUrl}${query}`)).body.items.map(({ id }: { id: string }) => id)

test('enablement-6-4 a pitch leaves the queue of a reviewer, and has the mean of its reviews', async () => {
  const acme = await tenant()
  const { seller, lead, colleague } = await createTeam(acme)
  const reviewers = [lead.userId, acme.member.userId]
  const assign = { user_ids: [seller.userId] }
  const prompt = await createPrompt(acme, { reviewer_ids: reviewers, min_reviews: 2, assign })
  const take = await submitTake(seller, prompt)
  const queues = async () => [await queueOf(lead), await queueOf(acme.member)]

  assert.deepEqual(await queues(), [[take.id], [take.id]])
  // Listed reviewers replace the coaches.
  for (const user of [seller, colleague, acme.manager]) assert.deepEqual(await queueOf(user), [])
  const first = await review(lead, take, { scores: scoresOf(80, 85), comment: 'Good.' })
  assert.deepEqual([first.status, first.body.score], [201, 82])
  assert.deepEqual(await queues(), [[], [take.id]])
  assert.equal((await seller.get(take.url)).body.status, 'submitted')
  await review(acme.member, take, { scores: scoresOf(80, 70) })

  assert.deepEqual(await queues(), [[], []])
  const { body } = await seller.get(take.url)
  assert.deepEqual([body.status, body.human_score, body.final_score, body.passed], ['reviewed', 79, 79, true])
  assert.deepEqual(
    body.reviews.map(({ reviewer, score, comment }: { reviewer: { id: string }; score: number; comment: string }) => [
      reviewer.id,
      score,
      comment,
    ]),
    [
      [lead.userId, 82, 'Good.'],
      [acme.member.userId, 76, null],
    ],
  )
  const mine = (await seller.get(`${pitchUrl}prompts/`)).body.items[0]
  assert.deepEqual([mine.assignment_status, mine.best_score], ['done', 79])
  const events = (await acme.events()).filter((type) => type.startsWith('pitch_submission'))
  assert.deepEqual(
    events.map((type) => type.split('.')[1]),
    ['created', 'submitted', 'review_added', 'review_added', 'reviewed'],
  )
  const kinds = async (user: Acme['member']) =>
    (await user.get('/api/auth/notifications')).body.items.map(({ kind }: { kind: string }) => kind)
  assert.deepEqual([await kinds(seller), await kinds(lead)], [['pitch.reviewed'], ['pitch.review_requested']])
})

test('enablement-6-5 authors cannot review their own pitch, and others do not see it', async () => {
  const acme = await tenant()
  const { seller, lead, colleague } = await createTeam(acme)
  const prompt = await createPrompt(acme)
  const take = await createTake(seller, prompt)
  assert.equal((await pitchFiles(app, acme).upload(seller, take.id, { content: mp4 })).status, 201)

  const own = await review(seller, take)
  assert.deepEqual([own.status, own.body.code], [403, 'self_review'])
  for (const user of [colleague, acme.member, acme.viewer]) {
    assert.equal((await user.get(take.url)).status, 404)
    assert.equal((await user.get(`${take.url}/video`)).status, 404)
  }
  assert.equal((await review(colleague, take)).status, 404)
  for (const user of [lead, acme.manager]) {
    assert.equal((await user.get(take.url)).status, 200)
    assert.equal((await pitchFiles(app, acme).download(user, take.id)).status, 200)
  }
  const own2 = await submitTake(acme.manager, prompt)
  assert.equal((await review(acme.manager, own2)).body.code, 'self_review')
  assert.equal((await review(acme.admin, own2)).status, 201)
})

test('coaches see a pitch with listed reviewers, but do not review it', async () => {
  const acme = await tenant()
  const { seller, lead } = await createTeam(acme)
  const prompt = await createPrompt(acme, { reviewer_ids: [acme.member.userId] })
  const take = await submitTake(seller, prompt)

  const refused = await review(lead, take)

  assert.deepEqual([refused.status, refused.body.code], [403, 'role_required'])
  assert.equal((await lead.get(take.url)).status, 200)
  assert.equal((await acme.member.get(take.url)).status, 200)
})

test('coaches review if too few of the listed reviewers can', async () => {
  const acme = await tenant()
  const { seller, lead } = await createTeam(acme)
  const [first, second] = [await acme.person('member'), await acme.person('member')]
  const reviewer_ids = [first.userId, second.userId, seller.userId]
  const prompt = await createPrompt(acme, { reviewer_ids, min_reviews: 2 })
  const take = await submitTake(seller, prompt)
  const other = await submitTake(acme.member, prompt)
  const queues = async () => [await queueOf(lead), await queueOf(acme.manager), await queueOf(first)]

  assert.deepEqual(await queues(), [[], [], [take.id, other.id]])
  await acme.admin.patch(`/api/users/${second.userId}`, { status: 'deactivated' })

  // The seller is the second active reviewer, but not of the own take.
  assert.deepEqual(await queues(), [[take.id], [take.id], [take.id, other.id]])
  assert.equal((await review(acme.manager, other)).body.code, 'role_required')
  for (const user of [first, lead]) assert.equal((await review(user, take)).status, 201)
  assert.equal((await seller.get(take.url)).body.status, 'reviewed')
  await acme.admin.patch(`/api/users/${first.userId}`, { status: 'deactivated' })
  assert.deepEqual(await queueOf(acme.manager), [other.id])
  await submitTake(seller, prompt)
  const { items } = (await lead.get('/api/auth/notifications')).body
  assert.deepEqual(
    items.map(({ kind }: { kind: string }) => kind),
    ['pitch.review_requested'],
  )
})

test('enablement-6-7 a review has one score between 0 and 100 for every criterion', async () => {
  const acme = await tenant()
  const take = await submitTake(acme.member, await createPrompt(acme))
  const codeOf = async (scores: object[]) => {
    const { status, body } = await review(acme.manager, take, { scores })
    return [status, body.errors?.[0].path, body.errors?.[0].code]
  }

  assert.deepEqual(await codeOf(scoresOf(80)), [422, '/scores', 'required'])
  assert.deepEqual(await codeOf(scoresOf(80, 101)), [422, '/scores/1/score', 'maximum'])
  assert.deepEqual(await codeOf(scoresOf(80, 90, 70)), [422, '/scores/2/key', 'unknown_key'])
  assert.deepEqual(await codeOf([...scoresOf(80, 90), { key: 'topics', score: 1 }]), [
    422,
    '/scores/2/key',
    'duplicate_key',
  ])
  assert.equal((await codeOf(scoresOf(-1, 90)))[0], 422)
  assert.equal((await review(acme.manager, take, { decision: 'maybe' })).status, 422)
  assert.equal((await acme.member.get(take.url)).body.reviews.length, 0)
})

test('a second review of a reviewer replaces the first, and the status follows', async () => {
  const acme = await tenant()
  const assign = { user_ids: [acme.member.userId] }
  const prompt = await createPrompt(acme, { assign })
  const take = await submitTake(acme.member, prompt)
  const statusAfter = async (fields: object) => {
    const { body: given, text } = await review(acme.manager, take, fields)
    assert.ok(given.id, text)
    const { body } = await acme.member.get(take.url)
    const assignment = (await acme.member.get(`${pitchUrl}prompts/`)).body.items[0].assignment_status
    return [given.version, body.status, body.final_score, body.passed, assignment, body.reviews.length]
  }

  assert.deepEqual(await statusAfter({ decision: 'returned' }), [1, 'returned', 84, true, 'open', 1])
  assert.deepEqual(await statusAfter({}), [2, 'reviewed', 84, true, 'done', 1])
  assert.deepEqual(await statusAfter({ scores: scoresOf(10, 20) }), [3, 'reviewed', 14, false, 'open', 1])
  const kinds = (await acme.member.get('/api/auth/notifications')).body.items.map(({ kind }: { kind: string }) => kind)
  assert.deepEqual(
    kinds.filter((kind: string) => kind !== 'pitch.assigned'),
    ['pitch.reviewed', 'pitch.returned'],
  )
})

test('without required reviews the evaluation completes a pitch', async () => {
  const acme = await tenant()
  const prompt = await createPrompt(acme, { min_reviews: 0, assign: { user_ids: [acme.member.userId] } })
  const transcript = 'Setup and security. Let us meet again on Tuesday.'
  const take = await submitTake(acme.member, prompt, { transcript })

  const evaluated = await acme.member.post(`${take.url}/evaluate`)
  const { body } = await acme.member.get(take.url)

  assert.deepEqual([evaluated.status, evaluated.body.overall], [200, 100])
  assert.deepEqual([body.status, body.ai_score, body.human_score, body.final_score], ['reviewed', 100, null, 100])
  assert.equal((await acme.member.get(`${pitchUrl}prompts/`)).body.items[0].assignment_status, 'done')
  assert.deepEqual(await queueOf(acme.manager), [])
  await review(acme.manager, take, { scores: scoresOf(50, 50) })
  assert.deepEqual((await acme.member.get(take.url)).body.final_score, 50)
})

test('enablement-6-11 a review uses the criteria of the submission, also of an archived prompt', async () => {
  const acme = await tenant()
  const prompt = await createPrompt(acme)
  const take = await submitTake(acme.member, prompt)
  await acme.manager.patch(prompt.url, { criteria: promptCriteria.slice(1), passing_score: 95 })
  await acme.manager.patch(prompt.url, { status: 'archived' })

  const changed = await review(acme.manager, take, { scores: [{ key: 'next_step', score: 90 }] })
  const current = await review(acme.manager, take)

  assert.deepEqual([changed.status, changed.body.errors[0].path], [422, '/scores'])
  assert.equal(current.status, 201)
  const { body } = await acme.member.get(take.url)
  assert.deepEqual([body.criteria.length, body.criteria_version, body.passed], [2, 1, true])
  const refused = await acme.member.post(`${prompt.url}/submissions`, {})
  assert.deepEqual([refused.status, refused.body.code], [409, 'prompt_not_active'])
})

test('the queue is sorted by due date, then by submission, and can be read in pages', async () => {
  const acme = await tenant()
  const { lead, seller, colleague } = await createTeam(acme)
  const due = (userId: string, due_on: string) => ({ assign: { user_ids: [userId], due_on } })
  const [late, early, undated] = [
    await createPrompt(acme, due(seller.userId, '2030-03-01')),
    await createPrompt(acme, due(colleague.userId, '2030-01-01')),
    await createPrompt(acme),
  ]
  const listed = await createPrompt(acme, { reviewer_ids: [lead.userId] })
  const takes = {
    undated: await submitTake(seller, undated),
    late: await submitTake(seller, late),
    second: await submitTake(colleague, undated),
    early: await submitTake(colleague, early),
    listed: await submitTake(acme.member, listed),
    unrelated: await submitTake(acme.member, undated),
  }
  const practice = await createPractice(seller, { transcript: 'Hello.', review_requested: true })
  const sorted = [takes.early, takes.late, takes.undated, takes.second, takes.listed].map(({ id }) => id)

  assert.deepEqual(await queueOf(lead), sorted)
  assert.deepEqual(await queueOf(lead, '?include_practice=true'), [...sorted, practice.id])
  const paged: string[] = []
  for (let query = '?limit=2'; query; ) {
    const { body } = await lead.get(`${queueUrl}${query}`)
    paged.push(...body.items.map(({ id }: { id: string }) => id))
    query = body.next_cursor ? `?limit=2&cursor=${body.next_cursor}` : ''
  }
  assert.deepEqual(paged, sorted)
  assert.equal((await lead.get(queueUrl)).body.total, 5)
  const ofManager = [takes.early, takes.late, takes.undated, takes.second, takes.unrelated].map(({ id }) => id)
  assert.deepEqual(await queueOf(acme.manager), ofManager)
  assert.deepEqual(await queueOf(seller), [])
  await acme.manager.patch(undated.url, due(seller.userId, '2029-01-01'))
  assert.deepEqual((await queueOf(lead))[0], takes.undated.id)
  assert.equal((await acme.manager.delete(undated.url)).status, 204)
  assert.equal((await review(lead, { url: submissionUrl(takes.undated.id) })).status, 201)
})
