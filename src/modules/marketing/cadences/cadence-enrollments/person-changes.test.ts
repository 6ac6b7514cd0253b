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
  outcomesOf,
  updateCadence,
} from '../cadences/cadences.fixture.ts'

const { tenant } = await startTestApp()

type Enrollment = {
  id: string
  status: string
  exit_reason: string | null
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

test('a merge ends the enrollments of the merged lead, and its undo leaves them ended and says so', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  const [primary, active, paused, removed] = [
    await newLead(acme),
    await newLead(acme),
    await newLead(acme),
    await newLead(acme),
  ]
  await enroll(acme, id, { lead_ids: [primary, active, paused, removed] })
  const enrollments: Enrollment[] = await listEnrollments(acme, id)
  const update = (leadId: string, changes: object) => {
    const enrollmentId = enrollments.find(({ lead }) => lead!.id === leadId)!.id
    return acme.manager.patch(`${cadencesUrl}${id}/enrollments/${enrollmentId}`, changes)
  }
  await update(paused, { status: 'paused', paused_until: '2099-01-01T00:00:00Z' })
  await update(removed, { status: 'exited' })

  const merged = await merge(acme, 'leads', primary, [active, paused, removed])
  const afterMerge = await statesIn(acme, id)
  const undone = await acme.manager.post(`/api/leads/merges/${merged.body.merge_id}/undo`)

  assert.deepEqual([merged.status, undone.status, undone.body.ended_enrollments], [200, 200, 2])
  assert.deepEqual(afterMerge, [
    [primary, 'active'],
    [primary, 'merged'],
    [primary, 'merged'],
    [primary, 'removed'],
  ])
  assert.deepEqual(
    await statesIn(acme, id),
    [
      [primary, 'active'],
      [active, 'merged'],
      [paused, 'merged'],
      [removed, 'removed'],
    ].toSorted(),
  )
  assert.equal(await countOpenRuns(acme), 1)
  assert.partialDeepStrictEqual((await getStats(acme, id)).totals, {
    enrolled: 4,
    active: 1,
    exited_by_reason: { merged: 2, removed: 1 },
  })
  assert.deepEqual(outcomesOf(await enroll(acme, id, { lead_ids: [active] })), ['enrolled'], 'nothing was sent')
})

test('the enrollment of a survivor follows the email address that a merge gives it, and its undo takes away', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  const [primary, duplicate] = [await newLead(acme, { email: 'Old@initech.example' }), await newLead(acme)]
  const [contact, merged] = [await newContact(acme), await newContact(acme, { email: 'moss@initech.example' })]
  await enroll(acme, id, { lead_ids: [primary], contact_ids: [contact] })
  const { email } = (await acme.member.get(`/api/leads/${duplicate}`)).body

  const request = { duplicate_ids: [duplicate], prefer: { email: duplicate } }
  const { body } = await acme.manager.post(`/api/leads/${primary}/merge`, request)
  const contacts = { duplicate_ids: [merged], prefer: { email: merged } }
  assert.equal((await acme.manager.post(`/api/contacts/${contact}/merge`, contacts)).status, 200)
  const afterMerge = await readKeys(acme, id)
  assert.equal((await acme.manager.post(`/api/leads/merges/${body.merge_id}/undo`)).status, 200)

  assert.deepEqual(afterMerge, [email, 'moss@initech.example'])
  assert.deepEqual(await readKeys(acme, id), ['old@initech.example', 'moss@initech.example'])
})

test('the enrollments of merged contacts end and move too', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  const [contact, duplicate] = [await newContact(acme), await newContact(acme)]
  await enroll(acme, id, { contact_ids: [duplicate] })

  assert.equal((await merge(acme, 'contacts', contact, [duplicate])).status, 200)

  assert.deepEqual(await statesIn(acme, id), [[contact, 'merged']])
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

test('two persons who get one email address at the same time, or while another one is enrolled with it, leave one enrollment', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  for (let round = 0; round < 3; round++) {
    const email = `same${round}@initech.example`
    const [first, second, third] = [await newLead(acme), await newLead(acme), await newLead(acme, { email })]
    await enroll(acme, id, { lead_ids: [first, second] })

    const [...changed] = await Promise.all([
      acme.member.patch(`/api/leads/${first}`, { email }),
      acme.member.patch(`/api/leads/${second}`, { email }),
      acme.manager.post(`${cadencesUrl}${id}/enrollments`, { lead_ids: [third] }),
    ])

    assert.deepEqual(
      changed.map(({ status }) => status),
      [200, 200, 200],
    )
    const { rows } = await acme.sql(
      `select id from marketing.cadence_enrollments
       where tenant_id = $1 and person_email_key = $2 and status in ('active', 'paused')`,
      [acme.id, email],
    )
    assert.equal(rows.length, 1)
  }
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
