import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { type Acme, createPersona, exampleRubric, scenariosUrl } from '../coaching.fixture.ts'
import { createPresets } from '../presets/presets.service.ts'
import { conversation, secretive, startRoleplayApp } from './roleplay.fixture.ts'

const { tenant, db, start, send, converse, finish, createExercise } = await startRoleplayApp()

type Exercise = { id: string; title: string }

async function listPresets(acme: Acme): Promise<Exercise[]> {
  await inTenant(db, systemActor(acme.id), (tx) => createPresets(tx))
  const presets = (await acme.member.get(scenariosUrl)).body.items
  assert.equal(presets.length, 6)
  return presets
}

const urlOf = ({ id }: Exercise) => ({ url: `${scenariosUrl}${id}` })

test('a seller who sends the hints of the analysis to the buyer practices, in every preset', async () => {
  const acme = await tenant()

  for (const preset of await listPresets(acme)) {
    const roleplay = await start(acme.member, urlOf(preset))
    for (let turn = 0; turn < 6; turn++) {
      const { next_best_question: hint } = (await acme.member.post(`${roleplay.url}/live-analysis`)).body
      const end = turn === 5 ? ' Let us schedule a call on Tuesday at 10:00.' : ''
      const reply = await send(acme.member, roleplay, `I understand. ${hint.text}${end}`)
      if (reply.state.ended) break
    }
    const { body } = await finish(acme.member, roleplay)

    assert.deepEqual([body.practice_reason, body.passed], ['hints', null], preset.title)
  }
  assert.equal((await acme.member.get('/api/enablement/coaching/my-stats')).body.pass_rate, null)
})

test('a buyer with nothing to discover or to object gives no score, in no preset', async () => {
  const acme = await tenant()
  const presets = await listPresets(acme)
  const empty = await createPersona(acme, { name: 'A buyer without facts' })

  for (const preset of presets) {
    const roleplay = await start(acme.member, urlOf(preset), { persona_id: empty.id })
    await converse(acme.member, roleplay)
    const { body } = await finish(acme.member, roleplay)

    assert.deepEqual(
      [body.practice_reason, body.insufficient, body.score, body.passed],
      ['other_persona', true, null, null],
      preset.title,
    )
  }
})

test('a roleplay with another buyer is practice, also after a coach has corrected its scores', async () => {
  const acme = await tenant()
  const other = await createPersona(acme, { ...secretive, name: 'A kind buyer' })
  const roleplay = await start(acme.member, await createExercise(acme), { persona_id: other.id })
  await converse(acme.member, roleplay)
  const finished = (await finish(acme.member, roleplay)).body

  const coach_scores = exampleRubric.map(({ key }) => ({ key, score: 100 }))
  const { status, body, text } = await acme.manager.patch(`/api/enablement/coaching/sessions/${roleplay.id}`, {
    coach_scores,
  })

  assert.equal(status, 200, text)
  assert.deepEqual([finished.practice_reason, finished.insufficient, finished.passed], ['other_persona', false, null])
  assert.ok(finished.score > 0)
  assert.deepEqual([body.score, body.passed, body.practice_reason], [100, null, 'other_persona'])
})

test('a roleplay with the buyer of its scenario and without hints counts, whatever a coach or a later analysis reads', async () => {
  const acme = await tenant()
  const exercise = await createExercise(acme)
  const roleplay = await start(acme.member, exercise, { persona_id: exercise.persona_id })
  await converse(acme.member, roleplay, conversation.slice(0, 4))
  const read = await acme.manager.post(`${roleplay.url}/live-analysis`)
  await converse(acme.member, roleplay, conversation.slice(4))
  const { body } = await finish(acme.member, roleplay)

  const later = await acme.member.post(`${roleplay.url}/live-analysis`)
  const after = (await acme.member.get(roleplay.url)).body

  assert.deepEqual([read.status, later.status], [200, 200])
  assert.deepEqual([body.practice_reason, body.insufficient], [null, false])
  assert.equal(typeof body.passed, 'boolean')
  assert.deepEqual([after.practice_reason, after.passed], [null, body.passed])
})

test('a private roleplay is practice, with or without hints', async () => {
  const acme = await tenant()
  const roleplay = await start(acme.member, await createExercise(acme), { is_private: true })
  await acme.member.post(`${roleplay.url}/live-analysis`)
  await converse(acme.member, roleplay)

  const { body } = await finish(acme.member, roleplay)

  assert.deepEqual([body.practice_reason, typeof body.passed], ['private', 'boolean'])
})

test('a score needs more than half of the weight if the buyer had nothing for the rest', async () => {
  const acme = await tenant()
  const weights = (objections: number) => [
    { key: 'questions', name: 'Questions', weight: 100 - objections, kind: 'questions' },
    { key: 'objections', name: 'Objections', weight: objections, kind: 'objections' },
  ]
  const persona = { ...secretive, objections: [] }
  const scores = []
  for (const weight of [40, 50]) {
    const roleplay = await start(acme.member, await createExercise(acme, { persona, rubric: weights(weight) }))
    await converse(acme.member, roleplay)
    scores.push((await finish(acme.member, roleplay)).body.score)
  }

  assert.deepEqual([typeof scores[0], scores[1]], ['number', null])
})
