import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { runTenantSchedule } from '#testing'
import { createPersona, createScenario, exampleRubric, sessionsUrl } from '../coaching.fixture.ts'
import { finishRoleplaysSchedule } from './finish-roleplays.jobs.ts'
import { conversation, startRoleplayApp } from './roleplay.fixture.ts'

const app = await startRoleplayApp()
const { tenant, clock, services, start, send, converse, finish, createExercise } = app
const statsUrl = '/api/enablement/coaching/my-stats'

const runSchedule = () => runTenantSchedule(app, finishRoleplaysSchedule(services))

/** Four questions, three of them open; three objections, of which the last is not handled; and a next step with a time. */
const workedConversation = [
  'What slows you down? Here is our price list.',
  'I understand. The savings are higher.',
  'How do you measure it? We can agree on a start date.',
  'I understand, and the savings come early.',
  'Why is that? Our new tool helps. Is it urgent?',
  'Let us talk about it.',
  'Let us schedule a call on Tuesday.',
]
const workedBuyer = {
  objections: [
    ['price', 'price list'],
    ['time', 'start date'],
    ['team', 'new tool'],
  ].map(([key, trigger]) => ({
    key,
    topic: key,
    text: `The ${key}.`,
    triggers: [trigger],
    good_responses: ['savings'],
  })),
}

test('enablement-4-2 the worked conversation has 79 points', async () => {
  const acme = await tenant()
  const roleplay = await start(acme.member, await createScenario(acme, { persona: workedBuyer }))
  await converse(acme.member, roleplay, workedConversation)
  // The seller speaks for 61 of 100 seconds.
  await acme.sql(
    `update enablement.roleplay_messages set spoken_seconds = case role when 'rep' then case seq when 2 then 7 else 9 end
       else case seq when 1 then 4 else 5 end end where session_id = $1`,
    [roleplay.id],
  )

  const { body } = await finish(acme.member, roleplay)

  const scores = body.scorecard.criteria.map(({ score }: { score: number }) => score)
  assert.deepEqual(scores.map(Math.round), [80, 77, 67, 100])
  assert.deepEqual([body.score, body.passed, body.scorecard.metrics.talk_ratio], [79, true, 0.61])
  const { rows } = await acme.sql(
    `select jsonb_path_query_array(scorecard, '$.criteria[*].score')::text as scores from enablement.coaching_sessions where id = $1`,
    [roleplay.id],
  )
  assert.equal(rows[0].scores, '[80, 76.6666666667, 66.6666666667, 100]')
})

test('enablement-4-13 the last message ends the conversation', async () => {
  const acme = await tenant()
  const roleplay = await start(acme.member, await createExercise(acme, { max_turns: 4 }))
  await converse(acme.member, roleplay, conversation.slice(0, 3))

  const last = await send(acme.member, roleplay, conversation[3]!)
  const next = await acme.member.post(`${roleplay.url}/message`, { text: 'One more.' })
  const finished = await finish(acme.member, roleplay)
  const after = await acme.member.post(`${roleplay.url}/message`, { text: 'One more.' })

  assert.deepEqual([last.state.ended, last.state.end_reason, last.state.turns_left], [true, 'max_turns', 0])
  assert.deepEqual([next.status, next.body.code], [409, 'conversation_ended'])
  assert.deepEqual([finished.status, after.status, after.body.code], [200, 409, 'session_closed'])
})

test('enablement-4-13 an idle roleplay is scored after a day, or abandoned if it is short', async () => {
  const acme = await tenant()
  const scenario = await createExercise(acme)
  const [long, short] = [await start(acme.member, scenario), await start(acme.member, scenario)]
  await converse(acme.member, long, conversation.slice(0, 5))
  await converse(acme.member, short, conversation.slice(0, 2))
  const age = (hours: number) =>
    acme.sql(
      `update enablement.coaching_sessions set last_activity_at = $2::timestamptz - $3 * interval '1 hour' where tenant_id = $1`,
      [acme.id, clock.now(), hours],
    )
  const read = async ({ url }: { url: string }) => (await acme.member.get(url)).body

  await age(23)
  await runSchedule()
  assert.deepEqual([(await read(long)).status, (await read(short)).status], ['active', 'active'])
  await age(25)
  await runSchedule()

  const [finished, abandoned] = [await read(long), await read(short)]
  assert.deepEqual([finished.status, finished.auto_finished, typeof finished.score], ['finished', true, 'number'])
  assert.deepEqual([abandoned.status, abandoned.score], ['abandoned', null])
  assert.deepEqual(
    [(await finish(acme.member, short)).status, (await acme.member.get(statsUrl)).body.roleplays],
    [409, 1],
  )
  assert.equal((await acme.member.get(scenario.url)).body.attempts, 1)
})

test('a lost evaluation is scored by rules after two minutes', async () => {
  const acme = await tenant()
  const roleplay = await start(acme.member, await createExercise(acme))
  await converse(acme.member, roleplay)
  const loseEvaluation = (seconds: number) =>
    acme.sql(
      `update enablement.coaching_sessions set status = 'evaluating', claim_id = $2, claimed_until = $3::timestamptz + interval '30 s',
         last_activity_at = $3 where id = $1`,
      [roleplay.id, newId(), new Date(clock.now().getTime() - seconds * 1_000)],
    )
  const statusOf = async () => (await acme.member.get(roleplay.url)).body.status

  await loseEvaluation(20)
  const running = await finish(acme.member, roleplay)
  await runSchedule()
  assert.deepEqual([running.body.code, await statusOf()], ['evaluation_running', 'evaluating'])
  await loseEvaluation(121)
  await runSchedule()

  const { body } = await acme.member.get(roleplay.url)
  assert.deepEqual([body.status, body.auto_finished, body.scorecard.engine], ['finished', false, 'rules'])
})

test('a coach corrects the score of a roleplay, and both scores are kept', async () => {
  const acme = await tenant()
  const roleplay = await start(acme.member, await createExercise(acme))
  const url = `${sessionsUrl}${roleplay.id}`
  const corrections = exampleRubric.map(({ key }) => ({ key, score: 10 }))
  const early = await acme.manager.patch(url, { coach_scores: corrections })
  await converse(acme.member, roleplay)
  const { body: finished } = await finish(acme.member, roleplay)

  const corrected = await acme.manager.patch(url, { coach_scores: corrections })
  const own = await acme.member.patch(url, { coach_scores: corrections })

  assert.deepEqual([early.status, corrected.status, own.status], [409, 200, 403])
  assert.deepEqual(
    [corrected.body.score, corrected.body.passed, corrected.body.scorecard.score],
    [10, false, finished.score],
  )
  assert.equal((await acme.manager.patch(url, { agenda: 'x' })).status, 422)
})

test('a user has at most three active roleplays', async () => {
  const acme = await tenant()
  const scenario = await createExercise(acme)

  const all = await Promise.all(Array.from({ length: 5 }, () => acme.member.post(`${scenario.url}/roleplay/start`)))

  const started = all.filter(({ status }) => status === 201)
  assert.deepEqual(started.map(({ body }) => body.attempt_no).sort(), [1, 2, 3])
  for (const { status, body } of all)
    if (status !== 201) assert.deepEqual([status, body.code], [409, 'too_many_active'])
})

test('another persona and language can be chosen', async () => {
  const acme = await tenant()
  const scenario = await createExercise(acme)
  const [active, inactive] = [
    await createPersona(acme, { opening_line: 'Guten Tag.' }),
    await createPersona(acme, { is_active: false }),
  ]

  const roleplay = await start(acme.member, scenario, { persona_id: active.id, language: 'de' })
  const refused = await acme.member.post(`${scenario.url}/roleplay/start`, { persona_id: inactive.id })

  assert.deepEqual([roleplay.messages[0].text, roleplay.buyer.name], ['Guten Tag.', active.name])
  assert.deepEqual([refused.status, refused.body.code], [422, 'unknown_reference'])
})

test('enablement-4-12 viewers, other workspaces and messages that are empty or too long are rejected', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const scenario = await createExercise(acme)
  const draft = await createExercise(acme, { status: 'draft' })
  const roleplay = await start(acme.member, scenario)
  const post = async (body: object, user = acme.member) => (await user.post(`${roleplay.url}/message`, body)).status

  assert.deepEqual([await post({ text: 'x'.repeat(4_001) }), await post({ text: '' }), await post({})], [422, 422, 422])
  assert.deepEqual([await post({ text: '   ' }), await post({ text: 'a', spoken_seconds: 601 })], [422, 422])
  assert.deepEqual([await post({ text: 'a' }, acme.viewer), await post({ text: 'a' }, other.admin)], [403, 404])
  assert.equal((await other.admin.get(roleplay.url)).status, 404)
  assert.equal((await other.admin.post(`${roleplay.url}/finish`)).status, 404)
  assert.equal((await other.admin.post(`${roleplay.url}/live-analysis`)).status, 404)
  assert.equal((await acme.manager.post(`${draft.url}/roleplay/start`)).body.code, 'not_published')
  assert.equal((await acme.viewer.post(`${scenario.url}/roleplay/start`)).status, 403)
})
