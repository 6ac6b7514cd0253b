import assert from 'node:assert/strict'
import { test } from 'node:test'
import { poolUsage } from '#platform/db'
import { newId } from '#platform/ids'
import { neverRespond, respondWithError, respondWithHtml } from '../../../platform/ai/model-server.stand-in.ts'
import { type Acme, createPersona, createScenario, personasUrl, sessionsUrl } from '../coaching.fixture.ts'
import { conversation, roleplayUrl, secretive, startModelApp } from '../roleplays/roleplay.fixture.ts'
import { startOfDay } from './voice.rules.ts'

const lines: string[] = []
const app = await startModelApp({ onLine: (line) => lines.push(line) })
const { tenant, services, clock, configureVoice, send, finish, createExercise } = app
const settingsUrl = '/api/admin/settings'
const voiceUrl = (personaId: string) => `${personasUrl}/${personaId}/voice-call/start`
const secret = /MARKER-(fact|objection|background|context)/

const call = (user: Acme['member'], personaId: string, options: object = {}) => user.post(voiceUrl(personaId), options)

async function startCall(user: Acme['member'], personaId: string, options?: object) {
  const { status, body, text } = await call(user, personaId, options)
  assert.equal(status, 201, text)
  return { ...body, url: roleplayUrl(body.session.id) }
}
const modeOf = ({ voice: { mode, reason } }: { voice: { mode: string; reason: string | null } }) => [mode, reason]

test('enablement-4-8 without a voice provider the session works as text', async () => {
  const acme = await tenant()
  const { id } = await createPersona(acme, secretive)

  const started = await startCall(acme.member, id)
  const turn = await send(acme.member, started, conversation[0]!)

  assert.deepEqual(started.voice, {
    mode: 'text',
    reason: 'not_configured',
    message: 'The workspace has no voice provider. The session continues as text.',
    provider: null,
    credential: null,
    connect: null,
    max_duration_seconds: null,
  })
  assert.deepEqual([started.session.mode, started.session.integrity], ['text', 'server'])
  assert.match(turn.buyer_message.text, /MARKER-fact-tool/)
})

test('enablement-4-8 a provider that fails gives a text session, never a server error', async () => {
  const acme = await tenant()
  const { id } = await createPersona(acme, secretive)
  for (const behavior of [respondWithError(500), respondWithError(401), respondWithHtml, neverRespond]) {
    // A failed request is sent again.
    await configureVoice(acme, behavior, behavior, behavior)
    const started = await startCall(acme.member, id)

    assert.deepEqual(modeOf(started), ['text', 'provider_unavailable'])
    await send(acme.member, started, conversation[0]!)
    await finish(acme.member, started)
  }
  await acme.sql(`update identity.tenant_secrets set ciphertext = decode('00', 'hex') where tenant_id = $1`, [acme.id])
  assert.deepEqual(modeOf(await startCall(acme.member, id)), ['text', 'provider_unavailable'])
})

test('a voice call has a credential that is shown once and stored nowhere, and no secret of the persona', async () => {
  const acme = await tenant()
  const inUse: number[] = []
  const server = await configureVoice(acme, undefined, (response, protocol) => {
    inUse.push(poolUsage(services.db).in_use)
    respondWithError(500)(response, protocol)
  })
  const scenario = await createExercise(acme, { buyer_context: 'MARKER-context', time_limit_seconds: 600 })
  const options = { scenario_id: scenario.id, language: 'de' }
  const headers = { 'idempotency-key': newId() }

  const first = await acme.member.post(voiceUrl(scenario.persona_id), options, headers)
  const repeated = await acme.member.post(voiceUrl(scenario.persona_id), options, headers)
  await startCall(acme.member, scenario.persona_id)

  const { voice, session } = first.body
  const { value, expires_at } = voice.credential
  assert.deepEqual(
    [first.status, voice.mode, voice.reason, voice.provider],
    [201, 'realtime', null, 'openai_compatible'],
  )
  assert.match(value, /^ek_/)
  assert.ok(expires_at)
  assert.deepEqual(voice.connect, {
    transport: 'webrtc',
    url: `${server.baseUrl}/realtime/calls`,
    model: 'realtime-1',
    voice: null,
  })
  assert.equal(voice.max_duration_seconds, 600)
  assert.deepEqual([session.mode, session.integrity, session.scenario_id], ['voice', 'client', scenario.id])
  assert.deepEqual([repeated.body.session, repeated.body.voice.credential], [session, null])
  assert.deepEqual(inUse, [0])

  const [request] = server.secretRequests
  assert.equal(request!.authorization, 'Bearer sk-voice')
  assert.match(request!.body.session!.instructions!, /Speak German[\s\S]*Less manual work[\s\S]*Late reports/)
  assert.ok(request!.body.session!.instructions!.includes(session.messages[0].text))
  assert.doesNotMatch(server.sentText() + first.text, secret)
  assert.deepEqual(await listTablesWith(acme, value), [])
  assert.ok(!lines.join('').includes(value) && !lines.join('').includes('sk-voice'))
})

/** Searches all tables of the workspace for a text. */
async function listTablesWith(acme: Acme, value: string): Promise<string[]> {
  const { rows: tables } = await acme.sql(
    `select table_schema || '.' || table_name as name from information_schema.columns
     where column_name = 'tenant_id' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rowCount } = await acme.sql(
      `select from ${name} as record where tenant_id = $1 and record::text like '%' || $2 || '%' limit 1`,
      [acme.id, value],
    )
    if (rowCount) found.push(name)
  }
  return found
}

test('a voice conversation is scored from the transcript of the client, and the rules decide what the buyer tells', async () => {
  const acme = await tenant()
  await configureVoice(acme)
  const { id, name } = await createPersona(acme, secretive)
  const started = await startCall(acme.member, id)
  const turns = []
  for (const [index, text] of conversation.entries()) {
    const spoken = { spoken_seconds: 6, buyer_text: 'Tell me more about it.', buyer_spoken_seconds: 4 }
    turns.push(await send(acme.member, started, text, { ...spoken, client_message_id: `m${index}` }))
  }
  const repeated = await send(acme.member, started, conversation[0]!, { client_message_id: 'm0' })
  clock.advance(120)
  const { body } = await finish(acme.member, started)

  assert.deepEqual(
    turns.map(({ buyer_message, engine, model }) => [buyer_message.text, engine, model]),
    Array(6).fill(['Tell me more about it.', 'model', 'realtime-1']),
  )
  assert.deepEqual(
    turns.map(({ cue }) => cue?.match(/MARKER-\w+-\w+/)?.[0] ?? (cue === null ? null : 'other')),
    ['MARKER-fact-tool', 'MARKER-fact-team', 'MARKER-objection-price', 'other', 'MARKER-fact-budget', 'other'],
  )
  assert.deepEqual([repeated.cue, repeated.engine, repeated.model], [turns[0].cue, 'model', 'realtime-1'])
  assert.deepEqual([body.status, body.mode, body.integrity, body.scenario_id], ['finished', 'voice', 'client', null])
  assert.equal(body.scenario.title, `Call with ${name}`)
  assert.deepEqual(
    body.rubric.map(({ key, weight }: { key: string; weight: number }) => [key, weight]),
    [
      ['talk_ratio', 20],
      ['questions', 30],
      ['objections', 30],
      ['next_step', 20],
    ],
  )
  const opening = started.session.messages[0]
  const talkRatio = 36 / (36 + 24 + opening.spoken_seconds)
  assert.ok(Math.abs(body.scorecard.metrics.talk_ratio - talkRatio) < 0.0001)
  assert.equal(body.scorecard.metrics.facts.revealed, 3)
  assert.equal((await acme.member.get('/api/enablement/coaching/my-stats')).body.roleplays, 1)
})

test('enablement-4-8 the minutes of a day are limited per user and workspace, and a finished call counts as long as it took, but at least two minutes', async () => {
  const noon = new Date(startOfDay(clock.now()).getTime() + 1.5 * 86_400_000)
  clock.advance((noon.getTime() - clock.now().getTime()) / 1_000)
  const acme = await tenant()
  await configureVoice(acme)
  const { id } = await createPersona(acme)
  const other = await acme.person('member')
  const limit = (user: number, workspace: number) =>
    acme.admin.patch(settingsUrl, {
      enablement: { voice_minutes_per_user_day: user, voice_minutes_per_tenant_day: workspace },
    })
  await limit(32, 1_000)
  const first = await startCall(acme.member, id)
  const second = await startCall(acme.member, id)
  const third = await startCall(acme.member, id)
  await send(acme.member, third, conversation[0]!)
  await finish(acme.member, third)
  clock.advance(60)
  await finish(acme.member, first)
  const fourth = await startCall(acme.member, id)
  await finish(acme.member, fourth)
  await limit(32, 20)
  const tooMany = await startCall(other, id)
  await limit(32, 40)
  const [one, two] = await Promise.all([startCall(other, id), startCall(acme.manager, id)])
  clock.advance(86_400)
  const { userId } = acme.member
  const nextDay = await startCall({ ...acme.member, ...(await acme.signIn(userId)) }, id)

  assert.deepEqual([modeOf(first), modeOf(second)], Array(2).fill(['realtime', null]))
  assert.deepEqual(modeOf(third), ['text', 'budget_exceeded'])
  assert.deepEqual(modeOf(fourth), ['realtime', null])
  assert.deepEqual(modeOf(tooMany), ['text', 'budget_exceeded'])
  // 120 s, 900 s and 120 s are used, so one of two calls of 900 s at once has room in 40 minutes.
  assert.deepEqual([modeOf(one), modeOf(two)].sort(), [
    ['realtime', null],
    ['text', 'budget_exceeded'],
  ])
  assert.deepEqual(modeOf(nextDay), ['realtime', null])
})

test('a user can start twelve voice calls a day, however short they are', async () => {
  const acme = await tenant()
  await configureVoice(acme)
  const { id } = await createPersona(acme)
  const modes = []

  for (let call = 0; call < 13; call++) {
    const started = await startCall(acme.member, id)
    modes.push(modeOf(started))
    await finish(acme.member, started)
  }

  assert.deepEqual(modes.slice(0, 12), Array(12).fill(['realtime', null]))
  assert.deepEqual(modes[12], ['text', 'budget_exceeded'])
})

test('a voice call with another buyer than that of the scenario is practice', async () => {
  const acme = await tenant()
  await configureVoice(acme)
  const { id: scenario_id, persona_id } = await createExercise(acme)
  const other = await createPersona(acme, secretive)

  const own = await startCall(acme.member, persona_id, { scenario_id })
  const chosen = await startCall(acme.member, other.id, { scenario_id })

  assert.deepEqual([own.session.practice_reason, chosen.session.practice_reason], [null, 'other_persona'])
})

test('a voice call ends at its time limit', async () => {
  const acme = await tenant()
  await configureVoice(acme)
  const { id } = await createPersona(acme)
  const started = await startCall(acme.member, id)
  clock.advance(900)

  const turn = await send(acme.member, started, conversation[0]!, { buyer_text: 'Yes.' })

  assert.deepEqual([turn.state.ended, turn.state.end_reason], [true, 'time_limit'])
})

test('calls need an active persona and a published scenario', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  const [active, inactive] = [await createPersona(acme), await createPersona(acme, { is_active: false })]
  const draft = await createScenario(acme, { status: 'draft' })
  const codeOf = async (user: Acme['member'], personaId: string, options?: object) => {
    const { status, body } = await call(user, personaId, options)
    return [status, body.errors?.[0]?.code ?? body.code]
  }

  assert.deepEqual(await codeOf(acme.member, inactive.id), [409, 'not_published'])
  assert.deepEqual(await codeOf(acme.member, newId()), [404, 'not_found'])
  assert.deepEqual(await codeOf(beta.admin, active.id), [404, 'not_found'])
  assert.deepEqual(await codeOf(acme.manager, active.id, { scenario_id: draft.id }), [409, 'not_published'])
  assert.deepEqual(await codeOf(acme.member, active.id, { scenario_id: draft.id }), [422, 'unknown_reference'])
  assert.deepEqual(await codeOf(acme.viewer, active.id), [403, 'scope_required'])
  const started = await startCall(acme.member, active.id, { is_private: true })
  assert.equal((await acme.admin.get(`${sessionsUrl}${started.session.id}`)).status, 404)
  const spoken = await acme.member.post(`${started.url}/message`, { text: 'Hello.', buyer_text: 'Hi.' })
  assert.deepEqual([spoken.status, spoken.body.errors[0].path], [422, '/buyer_text'])
})
