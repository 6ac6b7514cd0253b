import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import {
  type Acme,
  cadencesUrl,
  enroll,
  getStats,
  listEnrollments,
  newActiveCadence,
  newContact,
  newLead,
  updateCadence,
} from '../cadences/cadences.fixture.ts'

const { tenant } = await startTestApp()

type Enrollment = {
  id: string
  status: string
  exit_reason: string | null
  paused_reason: string | null
  next_run_at: string | null
  lead: { id: string } | null
  contact: { id: string } | null
}
const stateOf = ({ status, exit_reason, lead, contact }: Enrollment) => [(lead ?? contact)!.id, exit_reason ?? status]
const statesIn = async (acme: Acme, cadenceId: string) =>
  (await listEnrollments(acme, cadenceId)).map(stateOf).toSorted()

async function readKeys(acme: Acme, cadenceId: string): Promise<(string | null)[]> {
  const { rows } = await acme.sql(
    'select person_email_key from marketing.cadence_enrollments where tenant_id = $1 and cadence_id = $2 order by id',
    [acme.id, cadenceId],
  )
  return rows.map(({ person_email_key }) => person_email_key)
}

/** Runs that would still be executed. */
async function countOpenRuns(acme: Acme): Promise<number> {
  const { rows } = await acme.sql(
    `select count(*)::int as count from marketing.cadence_step_runs where tenant_id = $1 and state in ('waiting', 'claimed')`,
    [acme.id],
  )
  return rows[0].count
}

const merge = (acme: Acme, kind: 'leads' | 'contacts', id: string, duplicate_ids: string[]) =>
  acme.manager.post(`/api/${kind}/${id}/merge`, { duplicate_ids })

test('converted, disqualified and deleted persons leave their cadences', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  const [converted, unqualified, deleted, stays] = [
    await newLead(acme),
    await newLead(acme),
    await newLead(acme),
    await newLead(acme),
  ]
  const contact = await newContact(acme)
  await enroll(acme, id, { lead_ids: [converted, unqualified, deleted, stays], contact_ids: [contact] })

  await acme.member.post(`/api/leads/${converted}/convert`, {})
  await acme.member.patch(`/api/leads/${unqualified}`, { status: 'unqualified', disqualify_reason: 'no_budget' })
  await acme.member.delete(`/api/leads/${deleted}`)
  await acme.member.delete(`/api/contacts/${contact}`)

  assert.deepEqual(
    await statesIn(acme, id),
    [
      [converted, 'converted'],
      [unqualified, 'disqualified'],
      [deleted, 'deleted'],
      [contact, 'deleted'],
      [stays, 'active'],
    ].toSorted(),
  )
  assert.equal(await countOpenRuns(acme), 1)
  const { totals } = await getStats(acme, id)
  assert.partialDeepStrictEqual(totals.exited_by_reason, { converted: 1, disqualified: 1, deleted: 2 })
  await acme.member.post(`/api/leads/${deleted}/restore`)
  assert.equal(await countOpenRuns(acme), 1)
})

test('a bulk change of the status ends the enrollments of all leads', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  const leads = [await newLead(acme), await newLead(acme), await newLead(acme)]
  await enroll(acme, id, { lead_ids: leads })

  const { status } = await acme.manager.post('/api/leads/bulk', {
    action: 'set_status',
    lead_ids: leads,
    params: { status: 'unqualified', disqualify_reason: 'other' },
  })

  assert.equal(status, 200)
  assert.deepEqual(
    (await listEnrollments(acme, id)).map(({ exit_reason }: Enrollment) => exit_reason),
    ['disqualified', 'disqualified', 'disqualified'],
  )
})

test('the live enrollment of a merged lead follows the survivor, also if that one had left the cadence', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  const [primary, duplicate] = [await newLead(acme, { email: 'Primary@initech.example' }), await newLead(acme)]
  await enroll(acme, id, { lead_ids: [primary] })
  const [ended] = await listEnrollments(acme, id)
  await acme.manager.patch(`${cadencesUrl}${id}/enrollments/${ended.id}`, { status: 'exited' })
  await enroll(acme, id, { lead_ids: [duplicate] })
  const before = [await statesIn(acme, id), await readKeys(acme, id)]

  const { status, body } = await merge(acme, 'leads', primary, [duplicate])
  assert.equal(status, 200)
  assert.deepEqual(await statesIn(acme, id), [
    [primary, 'active'],
    [primary, 'removed'],
  ])
  assert.deepEqual(await readKeys(acme, id), ['primary@initech.example', 'primary@initech.example'])
  assert.equal(await countOpenRuns(acme), 1)

  assert.equal((await acme.manager.post(`/api/leads/merges/${body.merge_id}/undo`)).status, 200)
  assert.deepEqual([await statesIn(acme, id), await readKeys(acme, id)], before)
  assert.equal(await countOpenRuns(acme), 1)
})

test('of two live enrollments of merged leads one ends, and the undo restores it with its next step', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  const [primary, active, paused] = [await newLead(acme), await newLead(acme), await newLead(acme)]
  await enroll(acme, id, { lead_ids: [primary, active, paused] })
  const enrollments: Enrollment[] = await listEnrollments(acme, id)
  const pausedId = enrollments.find(({ lead }) => lead!.id === paused)!.id
  const pause = { status: 'paused', paused_until: '2099-01-01T00:00:00Z' }
  assert.equal((await acme.manager.patch(`${cadencesUrl}${id}/enrollments/${pausedId}`, pause)).status, 200)
  const before = await statesIn(acme, id)

  const { body } = await merge(acme, 'leads', primary, [active, paused])
  assert.deepEqual(await statesIn(acme, id), [
    [primary, 'active'],
    [primary, 'merged'],
    [primary, 'merged'],
  ])
  assert.equal(await countOpenRuns(acme), 1)
  assert.partialDeepStrictEqual((await getStats(acme, id)).totals, {
    enrolled: 3,
    active: 1,
    exited_by_reason: { merged: 2 },
  })

  assert.equal((await acme.manager.post(`/api/leads/merges/${body.merge_id}/undo`)).status, 200)
  assert.deepEqual(await statesIn(acme, id), before)
  const restored: Enrollment[] = await listEnrollments(acme, id)
  assert.deepEqual(
    restored.map(({ status, paused_reason, next_run_at }) => [status, paused_reason, next_run_at !== null]).toSorted(),
    [
      ['active', null, true],
      ['active', null, true],
      ['paused', 'manual', false],
    ],
  )
  assert.equal(await countOpenRuns(acme), 2)
  assert.partialDeepStrictEqual((await getStats(acme, id)).totals, { enrolled: 3, active: 2, paused: 1 })
})

test('enrollments of merged contacts move too, and end with a converted survivor', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  const [contact, duplicate] = [await newContact(acme), await newContact(acme)]
  const [converted, lead] = [await newLead(acme, { company: 'Initech' }), await newLead(acme)]
  await acme.member.post(`/api/leads/${converted}/convert`, {})
  await enroll(acme, id, { contact_ids: [duplicate], lead_ids: [lead] })

  assert.equal((await merge(acme, 'contacts', contact, [duplicate])).status, 200)
  assert.equal((await merge(acme, 'leads', converted, [lead])).status, 200)

  assert.deepEqual(
    await statesIn(acme, id),
    [
      [contact, 'active'],
      [converted, 'converted'],
    ].toSorted(),
  )
})

test('the enrollment follows a changed email address, which is enrolled once per cadence', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  const [lead, contact] = [await newLead(acme), await newContact(acme, { email: 'taken@initech.example' })]
  await enroll(acme, id, { lead_ids: [lead], contact_ids: [contact] })

  await acme.member.patch(`/api/leads/${lead}`, { email: 'New@initech.example' })
  assert.deepEqual(await readKeys(acme, id), ['new@initech.example', 'taken@initech.example'])
  await acme.member.patch(`/api/contacts/${contact}`, { email: 'new@initech.example' })
  assert.deepEqual(
    await statesIn(acme, id),
    [
      [lead, 'active'],
      [contact, 'merged'],
    ].toSorted(),
  )
  await acme.member.patch(`/api/leads/${lead}`, { email: null })
  assert.equal((await readKeys(acme, id))[0], null)
})

test('the changes of persons of another workspace or of ended enrollments have no effect', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  const lead = await newLead(acme)
  await enroll(acme, id, { lead_ids: [lead] })
  await updateCadence(acme, id, { status: 'archived' })
  const before = await statesIn(acme, id)

  await acme.member.delete(`/api/leads/${lead}`)

  assert.deepEqual(before, [[lead, 'archived']])
  assert.deepEqual(await statesIn(acme, id), before)
})
