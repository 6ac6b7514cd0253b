import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { type Acme, createScenario, exampleRubric, sessionsUrl } from '../coaching.fixture.ts'

const { tenant } = await startTestApp()

const allScores = exampleRubric.map(({ key }, index) => ({ key, score: [80, 77, 67, 100][index]! }))

/** A workspace with a lead of a team, two sellers in it and a published scenario. */
async function startWorkspace() {
  const acme = await tenant()
  const [lead, seller] = [await acme.person('member'), await acme.person('member')]
  const members = [{ user_id: lead.userId, role: 'lead' }, { user_id: seller.userId }]
  const team = await acme.admin.post('/api/teams/', { name: 'Sales', members })
  assert.equal(team.status, 201, team.text)
  return { acme, lead, seller, scenario: await createScenario(acme) }
}

async function schedule(scenario: { url: string }, user: Acme['member'], fields: object) {
  const { status, body, text } = await user.post(`${scenario.url}/sessions`, fields)
  assert.equal(status, 201, text)
  return { ...body, url: `${sessionsUrl}${body.id}` }
}

test('enablement-4-11 a lead schedules, scores and completes a session', async () => {
  const { acme, lead, seller, scenario } = await startWorkspace()
  const peer = await acme.member.post(`${scenario.url}/sessions`, { rep_id: seller.userId })
  const session = await schedule(scenario, lead, { rep_id: seller.userId, agenda: 'Discovery' })
  const set = (fields: object) => lead.patch(session.url, fields)

  assert.deepEqual([peer.status, peer.body.code], [403, 'role_required'])
  assert.deepEqual(
    [session.status, session.coach.id, session.duration_minutes, session.rubric_version],
    ['scheduled', lead.userId, 30, 1],
  )
  assert.equal((await set({ status: 'completed' })).body.code, 'invalid_transition')
  assert.equal((await set({ status: 'in_progress' })).body.status, 'in_progress')
  const missing = await set({ status: 'completed', scores: allScores.slice(1) })
  assert.deepEqual([missing.status, missing.body.code, missing.body.missing], [409, 'scores_missing', ['talk_ratio']])
  const completed = await set({ status: 'completed', scores: allScores, feedback: 'Good.' })

  assert.deepEqual([completed.status, completed.body.status], [200, 'completed'])
  assert.deepEqual([completed.body.score, completed.body.passed, completed.body.scorecard.score], [79, true, 79])
  assert.deepEqual(
    completed.body.scorecard.criteria.map(({ score }: { score: number }) => score),
    [80, 77, 67, 100],
  )
  for (const status of ['scheduled', 'in_progress', 'cancelled'])
    assert.deepEqual([(await set({ status })).status, (await set({ status })).body.code], [409, 'invalid_transition'])
  assert.deepEqual((await set({ feedback: 'Better.' })).body.code, 'session_closed')
  const events = (await acme.events()).filter((type) => type.startsWith('coaching_session'))
  assert.deepEqual(events, [
    'coaching_session.scheduled',
    'coaching_session.updated',
    'coaching_session.updated',
    'coaching_session.completed',
  ])
  const { body: notices } = await seller.get('/api/auth/notifications')
  assert.deepEqual(
    notices.items?.map(({ kind }: { kind: string }) => kind),
    ['coaching.session_completed', 'coaching.session_scheduled'],
  )
})

test('a correction changes the final score and keeps the scorecard', async () => {
  const { lead, seller, scenario } = await startWorkspace()
  const session = await schedule(scenario, lead, { rep_id: seller.userId })
  await lead.patch(session.url, { status: 'in_progress' })
  await lead.patch(session.url, { status: 'completed', scores: allScores })

  const corrected = await lead.patch(session.url, { coach_scores: [{ key: 'next_step', score: 0, comment: 'None.' }] })

  assert.deepEqual([corrected.body.score, corrected.body.passed, corrected.body.scorecard.score], [59, false, 79])
  assert.deepEqual(corrected.body.coach_scores.at(-1), { key: 'next_step', score: 0, comment: 'None.' })
})

test('a session can be completed without scores', async () => {
  const { lead, seller, scenario } = await startWorkspace()
  const session = await schedule(scenario, lead, { rep_id: seller.userId })
  await lead.patch(session.url, { status: 'in_progress' })

  const { body } = await lead.patch(session.url, { status: 'completed', skip_scoring: true })

  assert.deepEqual([body.status, body.score, body.passed, body.scorecard], ['completed', null, null, null])
})

test('enablement-4-14 the seller edits the reflection, not the scores', async () => {
  const { lead, seller, scenario } = await startWorkspace()
  const session = await schedule(scenario, lead, { rep_id: seller.userId })
  const { body } = await lead.patch(session.url, { action_items: [{ text: 'Ask more', due_on: '2030-01-31' }] })
  const [item] = body.action_items
  const set = async (fields: object) => (await seller.patch(session.url, fields)).status

  const other = await tenant()
  assert.equal((await other.admin.get(session.url)).status, 404)
  assert.equal((await other.admin.patch(session.url, { feedback: 'x' })).status, 404)
  assert.equal(await set({ scores: allScores }), 403)
  assert.equal(await set({ coach_scores: allScores }), 403)
  assert.equal(await set({ feedback: 'Great' }), 403)
  assert.equal(await set({ status: 'in_progress' }), 403)
  assert.equal(await set({ action_items: [{ id: item.id, text: 'Ask less' }] }), 403)
  assert.equal(await set({ action_items: [{ text: 'New' }] }), 403)
  assert.equal((await lead.patch(session.url, { rep_reflection: 'Mine' })).status, 403)
  const done = await seller.patch(session.url, {
    action_items: [{ id: item.id, done: true }],
    rep_reflection: 'I talked too much.',
    acknowledged: true,
  })
  assert.deepEqual(
    [done.body.action_items, done.body.open_action_items, done.body.rep_reflection],
    [[{ id: item.id, text: 'Ask more', due_on: '2030-01-31', done: true }], 0, 'I talked too much.'],
  )
  assert.ok(done.body.acknowledged_at)
  assert.equal((await seller.patch(session.url, { status: 'cancelled' })).body.status, 'cancelled')
  const { body: notices } = await lead.get('/api/auth/notifications')
  assert.equal(notices.items[0].kind, 'coaching.session_cancelled')
})

test('sellers ask for a session with a coach of theirs', async () => {
  const { acme, lead, seller, scenario } = await startWorkspace()
  const ask = (fields: object) => seller.post(`${scenario.url}/sessions`, { rep_id: seller.userId, ...fields })

  const [alone, peer, withLead, withManager] = [
    await ask({}),
    await ask({ coach_id: acme.member.userId }),
    await ask({ coach_id: lead.userId }),
    await ask({ coach_id: acme.manager.userId, scheduled_at: '2030-01-31T10:00:00Z', duration_minutes: 45 }),
  ]

  assert.deepEqual([alone.status, alone.body.errors[0].path], [422, '/coach_id'])
  assert.deepEqual([peer.status, peer.body.errors[0].code], [422, 'unknown_reference'])
  assert.deepEqual([withLead.status, withManager.status], [201, 201])
  assert.deepEqual([withManager.body.scheduled_at, withManager.body.duration_minutes], ['2030-01-31T10:00:00.000Z', 45])
  const own = await acme.manager.post(`${scenario.url}/sessions`, { rep_id: acme.manager.userId })
  assert.equal(own.status, 422)
})

test('sessions are listed for the seller, the coach, leads and managers', async () => {
  const { acme, lead, seller, scenario } = await startWorkspace()
  const first = await schedule(scenario, lead, { rep_id: seller.userId })
  const second = await schedule(scenario, acme.manager, { rep_id: lead.userId })
  const third = await schedule(scenario, acme.manager, { rep_id: acme.member.userId })
  const idsOf = async (user: Acme['member'], query = '') => {
    const { status, body, text } = await user.get(`${sessionsUrl}${query}`)
    assert.equal(status, 200, text)
    return body.items.map(({ id }: { id: string }) => id)
  }

  assert.deepEqual(await idsOf(seller), [first.id])
  assert.deepEqual(await idsOf(lead), [second.id, first.id])
  assert.deepEqual(await idsOf(acme.manager), [third.id, second.id, first.id])
  assert.deepEqual(await idsOf(acme.admin, `?rep_id=${lead.userId}`), [second.id])
  assert.deepEqual(await idsOf(acme.admin, `?coach_id=${lead.userId}`), [first.id])
  assert.deepEqual(await idsOf(acme.admin, `?scenario_id=${newId()}`), [])
  assert.deepEqual(await idsOf(acme.admin, '?kind=roleplay'), [])
  assert.deepEqual(await idsOf(acme.admin, '?status=completed'), [])
  assert.deepEqual(await idsOf(lead, `?rep_id=${seller.userId}`), [first.id])
  assert.deepEqual(await idsOf(seller, `?rep_id=${lead.userId}`), [])
  assert.deepEqual(await idsOf(acme.viewer), [])
})

test('enablement-4-6 a colleague does not see the session, a lead does', async () => {
  const { acme, lead, seller, scenario } = await startWorkspace()
  const other = await tenant()
  const session = await schedule(scenario, acme.manager, { rep_id: seller.userId })

  const statusOf = async (user: Acme['member']) => (await user.get(session.url)).status

  assert.deepEqual([await statusOf(acme.member), await statusOf(acme.viewer)], [404, 404])
  assert.deepEqual([await statusOf(lead), await statusOf(seller), await statusOf(acme.admin)], [200, 200, 200])
  assert.equal((await acme.member.patch(session.url, { rep_reflection: 'x' })).status, 404)
  assert.equal(await statusOf(other.admin), 404)
  assert.equal((await other.admin.patch(session.url, { feedback: 'x' })).status, 404)
})

test('enablement-4-9 a session keeps its rubric, and new ones have the next version', async () => {
  const { acme, lead, seller, scenario } = await startWorkspace()
  const session = await schedule(scenario, lead, { rep_id: seller.userId })
  await acme.manager.patch(scenario.url, { rubric: exampleRubric.slice(0, 1), passing_score: 90 })
  const later = await schedule(scenario, lead, { rep_id: seller.userId })

  const { body } = await seller.get(session.url)

  assert.deepEqual([body.rubric.length, body.rubric_version, body.passing_score], [4, 1, 70])
  assert.deepEqual([later.rubric.length, later.rubric_version, later.passing_score], [1, 2, 90])
  assert.equal((await acme.manager.delete(scenario.url)).status, 204)
  assert.equal((await seller.get(session.url)).body.scenario.title, 'First call')
})

test('invalid sessions are rejected', async () => {
  const { acme, lead, seller, scenario } = await startWorkspace()
  const post = async (fields: object, url = scenario.url) => {
    const { status, body } = await acme.manager.post(`${url}/sessions`, { rep_id: seller.userId, ...fields })
    return [status, body.errors?.[0]?.code ?? body.code]
  }
  const draft = await createScenario(acme, { status: 'draft' })
  const session = await schedule(scenario, lead, { rep_id: seller.userId })

  assert.deepEqual(await post({ rep_id: newId() }), [422, 'unknown_reference'])
  assert.deepEqual(await post({ rep_id: acme.viewer.userId }), [422, 'not_allowed'])
  assert.deepEqual(await post({}, draft.url), [409, 'not_published'])
  assert.equal((await post({ duration_minutes: 10 }))[0], 422)
  for (const fields of [
    { scores: [{ key: 'unknown', score: 1 }] },
    { scores: [allScores[0], allScores[0]] },
    { scores: [{ key: 'questions', score: 101 }] },
    { action_items: [{ done: true }] },
    { action_items: [{ id: newId(), text: 'x' }] },
  ])
    assert.equal((await lead.patch(session.url, fields)).status, 422, JSON.stringify(fields))
})
