import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { type Acme, exampleRubric, personasUrl, sessionsUrl } from '../coaching.fixture.ts'
import { conversation, startRoleplayApp } from './roleplay.fixture.ts'

const { tenant, clock, start, send, converse, finish, createExercise } = await startRoleplayApp()
const statsUrl = '/api/enablement/coaching/my-stats'

type Message = { seq: number; role: string; text: string }

test('enablement-4-1 without a model rules play and score, the same for every seller', async () => {
  const acme = await tenant()
  const scenario = await createExercise(acme)
  const other = await acme.person('member')
  const results = []

  for (const user of [acme.member, other]) {
    const roleplay = await start(user, scenario)
    const turns = []
    for (const text of conversation) turns.push(await send(user, roleplay, text))
    const analysis = await user.post(`${roleplay.url}/live-analysis`)
    const finished = await finish(user, roleplay, { reflection: 'I asked well.' })
    assert.deepEqual([analysis.status, finished.status, finished.body.status], [200, 200, 'finished'])
    for (const { engine, model, fallback_reason } of turns)
      assert.deepEqual([engine, model, fallback_reason], ['rules', null, 'not_configured'])
    assert.deepEqual([analysis.body.engine, finished.body.scorecard.engine], ['rules', 'rules'])
    assert.deepEqual([finished.body.attempt_no, finished.body.rep_reflection], [1, 'I asked well.'])
    const { scorecard, score, passed, messages } = finished.body
    const texts = messages.map(({ seq, role, text }: Message) => ({ seq, role, text }))
    results.push({ texts, scorecard, score, passed, analysis: analysis.body })
  }

  assert.deepEqual(results[1], results[0])
  const [{ texts, score, analysis, scorecard }] = results as [(typeof results)[0]]
  assert.deepEqual(
    texts.map(({ seq, role }: Message) => [seq, role]),
    Array.from({ length: 13 }, (_, index) => [index + 1, index % 2 ? 'rep' : 'buyer']),
  )
  assert.deepEqual(
    [analysis.questions, analysis.facts],
    [
      { total: 4, open: 4, closed: 0, per_10_turns: 6.67 },
      { revealed: 3, total: 4 },
    ],
  )
  assert.deepEqual(analysis.objections, { raised: 1, handled: 1, unresolved: 0, open: [] })
  assert.equal(scorecard.score, score)
  assert.deepEqual(
    scorecard.criteria.map(({ key, scored }: { key: string; scored: boolean }) => [key, scored]),
    exampleRubric.map(({ key }) => [key, true]),
  )
  assert.deepEqual(scorecard.criteria[2].evidence, [{ seq: 8, quote: conversation[3] }])
})

test('enablement-4-3 a short roleplay is finished without a score and does not count', async () => {
  const acme = await tenant()
  const scenario = await createExercise(acme)
  const before = (await acme.member.get(statsUrl)).body
  const roleplay = await start(acme.member, scenario)
  await converse(acme.member, roleplay, conversation.slice(0, 2))

  const [first, second] = [await finish(acme.member, roleplay), await finish(acme.member, roleplay)]

  assert.deepEqual(
    [first.status, first.body.insufficient, first.body.score, first.body.scorecard],
    [200, true, null, null],
  )
  assert.deepEqual([second.status, second.body], [200, first.body])
  assert.deepEqual((await acme.member.get(statsUrl)).body, before)
})

test('enablement-4-3 two parallel finishes give one scorecard', async () => {
  const acme = await tenant()
  const scenario = await createExercise(acme)
  for (let round = 0; round < 5; round++) {
    const roleplay = await start(acme.member, scenario)
    await converse(acme.member, roleplay, conversation.slice(0, 4))

    const both = await Promise.all([1, 2].map(() => finish(acme.member, roleplay)))

    const [best, other] = both.toSorted((left, right) => left.status - right.status)
    assert.equal(best!.status, 200)
    if (other!.status === 200) assert.deepEqual(other!.body.scorecard, best!.body.scorecard)
    else assert.deepEqual([other!.body.code, other!.headers['retry-after']], ['evaluation_running', '5'])
    assert.deepEqual((await finish(acme.member, roleplay)).body.scorecard, best!.body.scorecard)
    const entries = (await acme.events()).filter((type) => type === 'coaching_session.finished')
    assert.equal(entries.length, round + 1)
  }
})

test('enablement-4-4 of two parallel messages one is answered, and the numbers have no gaps', async () => {
  const acme = await tenant()
  const scenario = await createExercise(acme)
  const roleplay = await start(acme.member, scenario)
  let answered = 0
  for (let round = 0; round < 5; round++) {
    const both = await Promise.all(
      [1, 2].map((n) => acme.member.post(`${roleplay.url}/message`, { text: `Message ${round} ${n}` })),
    )
    answered += both.filter(({ status }) => status === 200).length
    for (const { status, body } of both)
      if (status !== 200) assert.deepEqual([status, body.code], [409, 'turn_in_progress'])
    assert.ok(both.some(({ status }) => status === 200))
  }

  const { body } = await acme.member.get(roleplay.url)

  assert.deepEqual(
    body.messages.map(({ seq }: Message) => seq),
    Array.from({ length: 2 * answered + 1 }, (_, index) => index + 1),
  )
  assert.equal(body.state.turn, answered)
})

test('enablement-4-4 a repeated message gets the stored reply', async () => {
  const acme = await tenant()
  const roleplay = await start(acme.member, await createExercise(acme))
  const fields = { client_message_id: 'a1', spoken_seconds: 12.5 }

  const first = await send(acme.member, roleplay, conversation[0]!, fields)
  const second = await send(acme.member, roleplay, conversation[0]!, fields)

  assert.deepEqual([second.rep_message, second.buyer_message], [first.rep_message, first.buyer_message])
  assert.equal(first.rep_message.spoken_seconds, 12.5)
  assert.equal((await acme.member.get(roleplay.url)).body.messages.length, 3)
})

test('a lost claim of a turn expires', async () => {
  const acme = await tenant()
  const roleplay = await start(acme.member, await createExercise(acme))
  const claimUntil = (seconds: number) =>
    acme.sql('update enablement.coaching_sessions set claim_id = $2, claimed_until = $3 where id = $1', [
      roleplay.id,
      newId(),
      new Date(clock.now().getTime() + seconds * 1_000),
    ])
  const post = async () => (await acme.member.post(`${roleplay.url}/message`, { text: 'Hello.' })).status

  await claimUntil(20)
  const [message, ended] = [await post(), await finish(acme.member, roleplay)]
  await claimUntil(-1)

  assert.deepEqual([message, ended.status, ended.body.code], [409, 409, 'turn_in_progress'])
  assert.equal(await post(), 200)
})

test('enablement-4-5 no response contains a fact or an objection that the buyer has not told', async () => {
  const acme = await tenant()
  const scenario = await createExercise(acme, { buyer_context: 'MARKER-context' })
  const roleplay = await start(acme.member, scenario)
  await converse(acme.member, roleplay)
  const texts = [
    (await acme.member.get(roleplay.url)).text,
    (await acme.member.post(`${roleplay.url}/live-analysis`)).text,
    (await finish(acme.member, roleplay)).text,
    (await acme.member.get(roleplay.url)).text,
    (await acme.member.get(`${sessionsUrl}${roleplay.id}`)).text,
    (await acme.member.get(sessionsUrl)).text,
    (await acme.member.get(scenario.url)).text,
    (await acme.member.get(personasUrl)).text,
  ]

  const found = new Set(texts.flatMap((text) => text.match(/MARKER-\w+(-\w+)?/g) ?? []))

  assert.deepEqual([...found].sort(), [
    'MARKER-fact-budget',
    'MARKER-fact-team',
    'MARKER-fact-tool',
    'MARKER-objection-price',
  ])
})

test('enablement-4-6 a private roleplay is visible to the seller only', async () => {
  const acme = await tenant()
  const [lead, seller] = [await acme.person('member'), await acme.person('member')]
  const members = [{ user_id: lead.userId, role: 'lead' }, { user_id: seller.userId }]
  await acme.admin.post('/api/teams/', { name: 'Sales', members })
  const scenario = await createExercise(acme)
  const hidden = await start(seller, scenario, { is_private: true })
  const open = await start(seller, scenario)
  await converse(seller, hidden)
  await finish(seller, hidden)
  const statusOf = async (user: Acme['member'], { url }: { url: string }) => (await user.get(url)).status

  assert.deepEqual(
    [await statusOf(acme.member, open), await statusOf(lead, open), await statusOf(acme.admin, open)],
    [404, 200, 200],
  )
  for (const user of [acme.member, lead, acme.manager, acme.admin]) {
    assert.equal(await statusOf(user, hidden), 404)
    assert.equal((await user.get(`${sessionsUrl}${hidden.id}`)).status, 404)
    assert.equal((await user.patch(`${sessionsUrl}${hidden.id}`, { feedback: 'x' })).status, 404)
    const { items } = (await user.get(sessionsUrl)).body
    assert.ok(!items.some(({ id }: { id: string }) => id === hidden.id))
  }
  assert.equal(await statusOf(seller, hidden), 200)
  assert.deepEqual([hidden.attempt_no, open.attempt_no], [1, 1])
  assert.equal((await seller.get(statsUrl)).body.sessions, 0)
  assert.equal((await seller.get(scenario.url)).body.attempts, 1)
  assert.deepEqual(
    (await acme.events()).filter((type) => type.startsWith('coaching_session')),
    ['coaching_session.started'],
  )
  assert.equal((await lead.post(`${open.url}/message`, { text: 'Hi' })).status, 403)
  assert.equal((await lead.post(`${open.url}/finish`)).status, 403)
})

test('enablement-4-9 a changed rubric changes neither old scorecards nor running roleplays', async () => {
  const acme = await tenant()
  const scenario = await createExercise(acme)
  const roleplay = await start(acme.member, scenario)
  await converse(acme.member, roleplay)
  const { body: finished } = await finish(acme.member, roleplay)
  await acme.manager.patch(scenario.url, { rubric: exampleRubric.slice(3), passing_score: 1 })

  const [old, next] = [(await acme.member.get(roleplay.url)).body, await start(acme.member, scenario)]

  assert.deepEqual([old.scorecard, old.rubric, old.rubric_version], [finished.scorecard, finished.rubric, 1])
  assert.deepEqual([next.rubric.length, next.rubric_version, next.attempt_no], [1, 2, 2])
})

test('enablement-4-10 roleplays with a deleted persona stay readable', async () => {
  const acme = await tenant()
  const scenario = await createExercise(acme)
  const roleplay = await start(acme.member, scenario)
  await acme.manager.patch(scenario.url, { status: 'archived' })

  assert.equal((await acme.manager.delete(`${personasUrl}/${scenario.persona_id}`)).status, 204)
  assert.equal((await acme.member.get(roleplay.url)).status, 200)
  await send(acme.member, roleplay, 'How big is your team?')
})
