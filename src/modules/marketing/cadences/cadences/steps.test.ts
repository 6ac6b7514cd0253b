import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import {
  cadencesUrl,
  emailStep,
  enroll,
  getStats,
  listEnrollments,
  newActiveCadence,
  newCadence,
  newLead,
} from './cadences.fixture.ts'

const { tenant } = await startTestApp()

test('crm-5-10 unknown variables and malformed templates are rejected with their position', async () => {
  const acme = await tenant()
  const create = (steps: object[]) => acme.member.post(cadencesUrl, { name: 'Fair', steps })

  const { status, body } = await create([
    emailStep({ body_template: 'Hi {{ nope }}' }),
    emailStep({ subject_template: 'Hi {{ first_name', body_template: undefined }),
    { type: 'call' },
  ])

  assert.equal(status, 422)
  assert.deepEqual(
    body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]),
    [
      ['/steps/0/body_template', 'unknown_variable'],
      ['/steps/1/subject_template', 'malformed_template'],
      ['/steps/1/body_template', 'required'],
    ],
  )
  assert.match(body.errors[0].message, /`nope` at character 4/)
})

test('crm-5-12 enrollments whose current step is removed continue with the next step', async () => {
  const acme = await tenant()
  const steps = [{ type: 'call' }, { type: 'task', delay_days: 3 }, emailStep({ delay_days: 5 })]
  const cadence = await newActiveCadence(acme, { steps })
  const [call, task, email] = cadence.steps as { id: string }[]
  await enroll(acme, cadence.id, { lead_ids: [await newLead(acme), await newLead(acme)] })
  const [paused, active] = await listEnrollments(acme, cadence.id)
  const url = `${cadencesUrl}${cadence.id}/enrollments/${paused.id}`
  await acme.member.patch(url, { status: 'paused' })

  const { status, body } = await acme.member.put(`${cadencesUrl}${cadence.id}/steps`, {
    steps: [{ id: task!.id, type: 'task', delay_days: 3 }, emailStep({ id: email!.id, delay_days: 5 })],
  })
  const [stillPaused, moved] = await listEnrollments(acme, cadence.id)
  const resumed = await acme.member.patch(url, { status: 'active' })

  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([active.current_step_id, moved.current_step_id], [call!.id, task!.id])
  assert.ok(moved.next_run_at > active.next_run_at)
  assert.deepEqual(
    [stillPaused.status, resumed.body.status, resumed.body.current_step_id],
    ['paused', 'active', task!.id],
  )
  const { rows } = await acme.sql(
    `select step_id, state, skip_reason from marketing.cadence_step_runs where enrollment_id = $1 order by run_at`,
    [active.id],
  )
  assert.deepEqual(rows, [
    { step_id: call!.id, state: 'skipped', skip_reason: 'step_removed' },
    { step_id: task!.id, state: 'waiting', skip_reason: null },
  ])
  await acme.member.put(`${cadencesUrl}${cadence.id}/steps`, { steps: [emailStep()] })
  const replaced = await listEnrollments(acme, cadence.id, '?status=active')
  assert.equal(new Set(replaced.map((one: { current_step_id: string }) => one.current_step_id)).size, 1)
})

test('steps keep their ids, and ids of other steps are rejected', async () => {
  const acme = await tenant()
  const cadence = await newCadence(acme)
  const [email, call] = cadence.steps
  const replace = (steps: object[]) => acme.member.put(`${cadencesUrl}${cadence.id}/steps`, { steps })
  const { id: foreign } = (await newCadence(acme)).steps[0]

  const { body } = await replace([{ id: call.id, type: 'call' }, { type: 'task' }, emailStep({ id: email.id })])
  const errors = [
    await replace([{ id: foreign, type: 'call' }]),
    await replace([
      { id: call.id, type: 'call' },
      { id: call.id, type: 'call' },
    ]),
    await replace([{ id: call.id, type: 'task' }]),
  ].map((response) => [response.status, response.body.errors[0].path])

  assert.deepEqual([body.steps[0].id, body.steps[2].id, body.version], [call.id, email.id, 2])
  assert.deepEqual(errors, [
    [422, '/steps/0/id'],
    [422, '/steps/1/id'],
    [422, '/steps/0/type'],
  ])
})

test('statistics show totals, steps and rates', async () => {
  const acme = await tenant()
  const cadence = await newActiveCadence(acme)
  await enroll(acme, cadence.id, { lead_ids: [await newLead(acme), await newLead(acme)] })
  const [paused] = await listEnrollments(acme, cadence.id)
  await acme.member.patch(`${cadencesUrl}${cadence.id}/enrollments/${paused.id}`, { status: 'paused' })
  await acme.sql(
    `insert into marketing.cadence_counts (tenant_id, cadence_id, step_id, measure, value)
     select $1::uuid, $2::uuid, step.id, measure, value
     from unnest(array[$2, $3]::uuid[]) step (id),
       unnest(array['sent', 'bounced', 'replied'], array[50, 10, 8]) counted (measure, value)
     union all select $1::uuid, $2::uuid, $2::uuid, measure, value
     from unnest(array['persons_delivered', 'persons_replied'], array[40, 6]) counted (measure, value)`,
    [acme.id, cadence.id, cadence.steps[0].id],
  )

  const { totals, steps } = await getStats(acme, cadence.id)

  assert.partialDeepStrictEqual(totals, { enrolled: 2, active: 1, paused: 1, completed: 0, exited: 0 })
  assert.partialDeepStrictEqual(totals, { sent: 50, delivered: 40, opened: null, reply_rate: 0.15, bounce_rate: 0.2 })
  assert.partialDeepStrictEqual(steps[0], { waiting: 2, sent: 50, delivered: 40, replied: 8, reply_rate: 0.2 })
  assert.partialDeepStrictEqual(steps[1], { waiting: 0, sent: 0, reply_rate: null, bounce_rate: null })
})
