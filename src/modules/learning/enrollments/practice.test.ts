import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitForValue } from '#testing'
import { createScenario } from '../../coaching/coaching.fixture.ts'
import { createPrompt, createTeam, review, submitTake } from '../../pitches/pitches.fixture.ts'
import {
  type Acme,
  addModule,
  complete,
  createContent,
  createPath,
  enroll,
  moduleOf,
  quizModule,
  reviewOf,
  textModule,
} from '../learning.fixture.ts'

const { tenant, startTestWorker } = await startTestApp()
await startTestWorker()

const noticesOf = async (user: Acme['member'], kind: string) =>
  ((await user.get('/api/auth/notifications')).body.items as { kind: string; title: string }[]).filter(
    (notice) => notice.kind === kind,
  )

test('enablement-5-14 a roleplay counts if it is passed, not private, and text unless voice is allowed', async () => {
  const acme = await tenant()
  const scenario = await createScenario(acme)
  const roleplay = { kind: 'roleplay', scenario_id: scenario.id }
  const path = await createPath(acme, { ordering: 'free', modules: [roleplay, { ...roleplay, allow_voice: true }] })
  const [text, voice] = path.modules as unknown as [{ id: string }, { id: string }]
  const { member } = acme
  const enrollment = await enroll(member, path)
  const insertSession = (fields: { is_private?: boolean; mode?: string; passed?: boolean; reason?: string }) =>
    acme.sql(
      `insert into enablement.coaching_sessions (tenant_id, id, kind, scenario_id, rep_id, status, is_private, started_at, finished_at,
         scenario_snapshot, score, passed, attempt_no, mode, seed, persona_snapshot, state, transcript_source, voice_seconds, practice_reason)
       values ($1, gen_random_uuid(), 'roleplay', $2, $3, 'finished', $4, now(), now(), '{}', 88, $5, 1, $6, '\\x00', '{}', '{}', 'server', $7, $8)`,
      [
        acme.id,
        scenario.id,
        acme.member.userId,
        fields.is_private ?? false,
        fields.passed ?? true,
        fields.mode ?? 'text',
        fields.mode === 'voice' ? 10 : null,
        fields.reason ?? null,
      ],
    )
  const codeOf = async (module: { id: string }) => {
    const { status, body } = await complete(member, enrollment, module)
    return [status, body.code]
  }

  assert.deepEqual(await codeOf(text), [409, 'requirement_not_met'])
  await insertSession({ is_private: true })
  await insertSession({ passed: false })
  for (const reason of ['hints', 'other_persona']) await insertSession({ reason })
  assert.deepEqual(await codeOf(text), [409, 'requirement_not_met'])
  await insertSession({ mode: 'voice' })
  assert.deepEqual(await codeOf(text), [409, 'requirement_not_met'])
  assert.deepEqual(await codeOf(voice), [200, undefined])
  await insertSession({})
  const { body: started } = await acme.member.post(`${scenario.url}/roleplay/start`)
  await acme.member.post(`/api/enablement/coaching/roleplay/${started.id}/message`, {
    text: 'Hello, what do you need?',
  })
  await acme.member.post(`/api/enablement/coaching/roleplay/${started.id}/finish`)
  const { body } = await waitForValue(
    () => member.get(enrollment.url),
    (response) => response.body.status === 'completed',
  )
  assert.deepEqual([moduleOf(body, text).state, moduleOf(body, text).score], ['completed', 88])
})

test('an approved pitch completes its module without a call, and one before the enrollment does not count', async () => {
  const acme = await tenant()
  const prompt = await createPrompt(acme)
  const before = await submitTake(acme.member, prompt)
  await review(acme.manager, before)
  const path = await createPath(acme, { modules: [{ kind: 'pitch', prompt_id: prompt.id }, textModule] })
  const enrollment = await enroll(acme.member, path)

  const early = await complete(acme.member, enrollment, path.modules[0]!)
  await review(acme.manager, await submitTake(acme.member, prompt))
  const { body } = await waitForValue(
    () => acme.member.get(enrollment.url),
    (response) => response.body.status === 'in_progress',
  )

  assert.deepEqual([early.status, early.body.code], [409, 'requirement_not_met'])
  assert.deepEqual([moduleOf(body, path.modules[0]!).score, body.status], [84, 'in_progress'])
})

test('enablement-5-15 an assignment is reviewed by a coach, and can be submitted again after a reset', async () => {
  const acme = await tenant()
  const { lead, seller, colleague } = await createTeam(acme)
  const assignment = { instructions: 'Write a plan.', requires: 'both', max_points: 50, passing_points: 30 }
  const path = await createPath(acme, { modules: [{ kind: 'assignment', assignment }] })
  const [module] = path.modules as unknown as [{ id: string }]
  const enrollment = await enroll(seller, path)
  const submission = { text: 'My plan.', link: 'https://example.com/plan' }
  const send = (fields: object = submission) => complete(seller, enrollment, module, { submission: fields })
  const decide = async (user: typeof seller, body: object) => {
    const { status, body: response } = await reviewOf(user, enrollment, module, body)
    return [status, response.code ?? response.status]
  }

  assert.equal((await send({ text: 'My plan.' })).status, 422)
  assert.deepEqual(await decide(lead, { decision: 'pass' }), [409, 'invalid_transition'])
  assert.equal(moduleOf((await send()).body, module).state, 'submitted')
  assert.deepEqual((await send()).body.code, 'already_submitted')
  assert.deepEqual(await decide(seller, { decision: 'pass' }), [403, 'self_assessment'])
  assert.deepEqual(await decide(colleague, { decision: 'pass' }), [404, 'not_found'])
  assert.deepEqual(await decide(lead, { decision: 'pass', points: 29 }), [422, 'validation_failed'])
  assert.deepEqual(await decide(lead, { decision: 'fail', points: 10, comment: 'Too short.' }), [200, 'failed'])
  assert.deepEqual((await send()).body.code, 'enrollment_closed')
  assert.deepEqual(await decide(lead, { decision: 'reset' }), [200, 'in_progress'])
  await send()
  assert.deepEqual(await decide(lead, { decision: 'pass', points: 40 }), [200, 'completed'])
  const { body } = await seller.get(enrollment.url)
  const { score, review: feedback } = moduleOf(body, module) as unknown as {
    score: number
    review: { reviewer: object }
  }
  assert.deepEqual([score, body.score, feedback.reviewer], [80, 80, { id: lead.userId, name: lead.name }])
  assert.equal((await noticesOf(lead, 'learning.submitted')).length, 2)
  assert.equal((await noticesOf(lead, 'learning.failed')).length, 1)
  assert.equal((await noticesOf(seller, 'learning.reviewed')).length, 3)
  const quiz = await addModule(acme.manager, (await createPath(acme)).url, quizModule())
  const { body: session } = await acme.admin.post(`/api/users/${seller.userId}/impersonate`, { reason: 'Ticket 1' })
  const impersonated = acme.bearer(`Bearer ${session.access_token}`)
  const evidence = await impersonated.post(`${enrollment.url}/modules/${quiz.id}/submit-quiz`, { answers: [] })
  assert.deepEqual([evidence.status, evidence.body.code], [403, 'impersonation_not_allowed'])
})

test('scenarios and prompts of a published path cannot be deleted until their modules are gone', async () => {
  const acme = await tenant()
  const [scenario, prompt] = [await createScenario(acme), await createPrompt(acme)]
  const path = await createPath(acme, {
    modules: [textModule, { kind: 'roleplay', scenario_id: scenario.id }, { kind: 'pitch', prompt_id: prompt.id }],
  })

  for (const [index, url] of [scenario.url, prompt.url].entries()) {
    const { status, body } = await acme.manager.delete(url)
    assert.deepEqual([status, body.code, body.references[0].id], [409, 'in_use', path.id])
    assert.equal((await acme.manager.delete(path.modules[index + 1]!.url)).status, 204)
    assert.equal((await acme.manager.delete(url)).status, 204)
  }
})

test('modules follow the replacement of their content, and are waived without one', async () => {
  const acme = await tenant()
  const [old, next, gone] = [await createContent(acme), await createContent(acme), await createContent(acme)]
  const path = await createPath(acme, {
    modules: [
      { kind: 'content', content_item_id: old.id, min_seconds: 10 },
      { kind: 'content', content_item_id: gone.id, min_seconds: 10 },
    ],
  })
  const enrollment = await enroll(acme.member, path)
  const archive = (id: string, fields: object = {}) =>
    acme.manager.patch(`/api/enablement/content/${id}`, { status: 'archived', ...fields })

  assert.equal((await archive(old.id, { superseded_by_id: next.id })).status, 200)
  assert.equal((await archive(gone.id)).status, 200)
  await waitForValue(
    () => acme.member.get(enrollment.url),
    ({ body }) =>
      body.progress_rate === 0.5 &&
      moduleOf(body, path.modules[1]!).state === 'waived' &&
      moduleOf(body, path.modules[0]!).content_item_id === next.id,
  )

  assert.equal((await noticesOf(acme.manager, 'learning.content_hidden')).length, 1)
})

test('a failed enrollment does not open again beside a later cycle', async () => {
  const acme = await tenant()
  const assignment = { instructions: 'Write a plan.' }
  const path = await createPath(acme, { modules: [{ kind: 'assignment', assignment }] })
  const [module] = path.modules as unknown as [{ id: string }]
  const first = await enroll(acme.member, path)
  await complete(acme.member, first, module, { submission: { text: 'Plan.' } })
  await reviewOf(acme.manager, first, module, { decision: 'fail' })
  await enroll(acme.member, path)

  const reset = await reviewOf(acme.manager, first, module, { decision: 'reset' })

  assert.deepEqual([reset.status, reset.body.code], [409, 'enrollment_closed'])
  await addModule(acme.manager, path.url, textModule)
  assert.equal((await acme.member.get(first.url)).body.modules.length, 1)
})
