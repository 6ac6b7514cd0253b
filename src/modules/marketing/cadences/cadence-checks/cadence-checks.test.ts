import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTenantSchedule, startTestApp } from '#testing'
import { createIntegrityRunner } from '../../../operations/integrity/integrity.fixture.ts'
import {
  enroll,
  getCadence,
  listEnrollments,
  newActiveCadence,
  newContact,
  newLead,
} from '../cadences/cadences.fixture.ts'
import { checkCadencesSchedule } from './check-cadences.jobs.ts'

const app = await startTestApp()
const { tenant, services } = app
const { find, findAll, assertRepairs } = createIntegrityRunner(services)
const acme = await tenant()
const other = await tenant()
const cadence = await newActiveCadence(acme)
await enroll(acme, cadence.id, { lead_ids: [await newLead(acme), await newLead(acme)] })
const enrollments = await listEnrollments(acme, cadence.id)

test('cadences in use have no finding', async () => {
  assert.deepEqual(
    (await findAll(acme.id)).filter(({ status }) => status !== 'ok'),
    [],
  )
})

test('wrong counts of a cadence are reported and counted again, also every night', async () => {
  const wrong = [
    `update marketing.cadence_counts set value = 7 where cadence_id = $1 and measure = 'enrolled'`,
    `insert into marketing.cadence_counts (tenant_id, cadence_id, step_id, measure, value)
     select tenant_id, id, id, 'sent', 3 from marketing.cadences where id = $1`,
    `update marketing.cadence_step_runs set first_clicked_at = now() where cadence_id = $1`,
  ]
  for (const statement of wrong) {
    await acme.sql(statement, [cadence.id])
    assert.deepEqual(await find(other.id, 'counter_drift'), [])
    await assertRepairs(acme.id, 'counter_drift', [cadence.id])
  }
  await acme.sql(wrong[0]!, [cadence.id])
  await runTenantSchedule(app, checkCadencesSchedule(services))
  assert.deepEqual([(await getCadence(acme, cadence.id)).enrolled_count, await find(acme.id, 'counter_drift')], [2, []])
})

test('an active enrollment without a run is planned again', async () => {
  const [{ id }] = enrollments
  await acme.sql('delete from marketing.cadence_step_runs where enrollment_id = $1', [id])

  await assertRepairs(acme.id, 'cadence_enrollment_without_run', [id])

  const { rows } = await acme.sql('select state from marketing.cadence_step_runs where enrollment_id = $1', [id])
  assert.deepEqual(rows, [{ state: 'waiting' }])
})

test('the newer of two live enrollments of a person ends', async () => {
  const lead = await newLead(acme, { email: 'ada@initech.example' })
  const contact = await newContact(acme, { email: 'eve@initech.example' })
  await enroll(acme, cadence.id, { lead_ids: [lead], contact_ids: [contact] })
  const [newer] = await listEnrollments(acme, cadence.id)
  await acme.sql(`update crm.contacts set email = 'ada@initech.example' where id = $1`, [contact])

  await assertRepairs(acme.id, 'cadence_person_enrolled_twice', [newer.id])

  const [ended] = await listEnrollments(acme, cadence.id)
  assert.deepEqual([ended.id, ended.status, ended.exit_reason], [newer.id, 'exited', 'merged'])
})

test('a claimed step without an email is planned again', async () => {
  await enroll(acme, cadence.id, { lead_ids: [await newLead(acme)] })
  const [{ id: enrollmentId }] = await listEnrollments(acme, cadence.id)
  const { rows } = await acme.sql(
    `update marketing.cadence_step_runs set state = 'claimed', claimed_at = now() - interval '1 hour'
     where enrollment_id = $1 and state = 'waiting' returning id`,
    [enrollmentId],
  )

  await assertRepairs(acme.id, 'cadence_run_without_email', [rows[0].id])

  const runs = await acme.sql('select state from marketing.cadence_step_runs where enrollment_id = $1', [enrollmentId])
  assert.deepEqual(runs.rows, [{ state: 'waiting' }])
})
