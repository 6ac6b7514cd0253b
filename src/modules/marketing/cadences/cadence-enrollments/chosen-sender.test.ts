import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveTaskRequester } from '#modules/identity'
import { systemActor, type UserActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { runTenantSchedule, startTestApp, waitForTask, waitForValue } from '#testing'
import { runFlowsSchedule } from '../../segments/continuous-enrollment/run-flows.jobs.ts'
import { reassignEnrollments } from '../cadence-runs/reassign-enrollments.service.ts'
import { cadencesUrl, enroll, listEnrollments, newActiveCadence, newLead } from '../cadences/cadences.fixture.ts'
import { enrollPersons } from './enroll-persons.service.ts'

const app = await startTestApp()
await app.startTestWorker()
type Acme = Awaited<ReturnType<typeof app.tenant>>
type User = Acme['member']

const allowOthers = async (user: User, others_may_enroll = true) =>
  assert.equal((await user.put('/api/cadences/sender-settings', { others_may_enroll })).status, 200)
const outcomeOf = ({ status, body }: { status: number; body: { code?: string } }) => body.code ?? status
const noticesOf = async (user: User) =>
  (await user.get('/api/auth/notifications?limit=100')).body.items.filter(
    ({ kind }: { kind: string }) => kind === 'cadence.sender_chosen',
  )

async function newSegment(acme: Acme): Promise<string> {
  const { body } = await acme.member.post('/api/segments', { object_type: 'lead', name: 'All', rules: { all: [] } })
  return body.id
}

/** All ways in which a request chooses the sender of new enrollments. */
function waysToEnroll(acme: Acme, cadenceId: string, segmentId: string) {
  const target = { target_type: 'cadence', target_id: cadenceId }
  return {
    manual: async (by: User, sender_id: string) =>
      by.post(`${cadencesUrl}${cadenceId}/enrollments`, { lead_ids: [await newLead(acme)], sender_id }),
    bulk: async (by: User, sender_id: string) =>
      by.post('/api/leads/bulk', {
        action: 'enroll_cadence',
        lead_ids: [await newLead(acme)],
        params: { cadence_id: cadenceId, sender_id },
      }),
    segment: (by: User, sender_id: string) => by.post(`/api/segments/${segmentId}/enroll`, { ...target, sender_id }),
    flow: (by: User, sender_id: string) =>
      by.post(`/api/segments/${segmentId}/enroll`, { ...target, sender_id, mode: 'continuous' }),
  }
}

test('another user can be chosen as the sender by managers, leads of a team of the user, and by all if the user allows it', async () => {
  const acme = await app.tenant()
  const { id } = await newActiveCadence(acme)
  const [sender, lead] = [await acme.person('member'), await acme.person('member')]
  const members = [
    { user_id: sender.userId, role: 'member' },
    { user_id: lead.userId, role: 'lead' },
  ]
  assert.equal((await acme.manager.post('/api/teams/', { name: 'Sales', members })).status, 201)
  const ways = Object.values(waysToEnroll(acme, id, await newSegment(acme)))
  const tryAll = async (by: User) => {
    const outcomes = []
    for (const way of ways) outcomes.push(outcomeOf(await way(by, sender.userId)))
    return outcomes
  }
  const [allowed, refused] = [Array(4).fill(200), Array(4).fill('sender_not_allowed')]

  assert.deepEqual(await tryAll(acme.member), refused)
  assert.equal((await listEnrollments(acme, id)).length, 0)
  for (const by of [acme.manager, acme.admin, lead, sender]) assert.deepEqual(await tryAll(by), allowed)
  await allowOthers(sender)
  assert.deepEqual(await tryAll(acme.member), allowed)
  await allowOthers(sender, false)
  const last = await acme.member.post(`${cadencesUrl}${id}/enrollments`, {
    lead_ids: [await newLead(acme)],
    sender_id: sender.userId,
  })
  assert.equal(last.status, 403)
  assert.match(
    last.body.detail,
    /`others_may_enroll`.*Ask the sender or a manager, or enroll the persons without a sender\.$/,
  )
  const withoutSender = await enroll(acme, id, { lead_ids: [await newLead(acme, { owner_id: sender.userId })] })
  assert.equal(withoutSender.enrolled, 1, 'the owner of the record needs no consent')
  const foreign = await app.tenant()
  assert.equal((await ways[0]!(acme.manager, foreign.member.userId)).status, 422)
})

test('a sender is notified once per request in which another user chose them', async () => {
  const acme = await app.tenant()
  const { id } = await newActiveCadence(acme)
  const sender = await acme.person('member')
  const sender_id = sender.userId
  const { rows } = await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, source, search_text, created_at, created_on, email)
     select $1, gen_random_uuid(), 'Moss', 'import', ' moss', now(), current_date, 'many' || n || '@initech.example'
     from generate_series(1, 602) n returning id`,
    [acme.id],
  )
  const lead_ids = rows.map(({ id: leadId }) => leadId)
  const url = `${cadencesUrl}${id}/enrollments`
  const bulk = (ids: string[]) =>
    acme.manager.post('/api/leads/bulk', {
      action: 'enroll_cadence',
      lead_ids: ids,
      params: { cadence_id: id, sender_id },
    })

  await enroll(acme, id, { lead_ids: [lead_ids[0]], sender_id }, sender)
  assert.equal((await noticesOf(sender)).length, 0, 'the sender knows it')
  await enroll(acme, id, { lead_ids: [lead_ids[0]], sender_id }, acme.manager)
  assert.equal((await noticesOf(sender)).length, 0, 'no person was enrolled')
  await bulk(lead_ids.slice(0, 2))
  const task = await waitForTask(acme, (await bulk(lead_ids.slice(2, 2 + 201))).body)
  const started = await acme.manager.post(url, { lead_ids, sender_id })
  await waitForTask(acme, started.body)

  assert.equal(task.state, 'succeeded')
  const notices = await noticesOf(sender)
  assert.deepEqual(
    notices.map(({ resource_id }: { resource_id: string }) => resource_id),
    [id, id, id],
  )
  assert.match(notices[0].title, /^You are the sender of persons in the cadence/)
})

test('a flow that chooses another sender notifies once and stops when the sender no longer allows it', async () => {
  const acme = await app.tenant()
  const { id } = await newActiveCadence(acme)
  const sender = await acme.person('member')
  const segmentId = await newSegment(acme)
  const run = () => runTenantSchedule(app, runFlowsSchedule(app.services))
  const flowOf = async () => (await acme.member.get(`/api/segments/${segmentId}/flows`)).body.items[0]
  const enrolled = async () => (await listEnrollments(acme, id, `?sender_id=${sender.userId}`)).length
  await allowOthers(sender)
  await newLead(acme)
  await waysToEnroll(acme, id, segmentId).flow(acme.member, sender.userId)
  await waitForValue(enrolled, (count) => count === 1)
  await newLead(acme)
  await run()
  await allowOthers(sender, false)
  await newLead(acme)
  await run()

  assert.equal(await enrolled(), 2)
  assert.equal((await noticesOf(sender)).length, 1)
  const { is_active, last_error } = await flowOf()
  assert.equal(is_active, false)
  assert.match(last_error, /`others_may_enroll`/)
})

test('batches of a task check the sender and the former sender again', async () => {
  const acme = await app.tenant()
  const { id } = await newActiveCadence(acme)
  const [sender, other] = [await acme.person('member'), await acme.person('member')]
  const leadIds = [await newLead(acme)]
  const by = { type: 'user', userId: acme.member.userId, actorUserId: null, sessionId: null, apiKeyId: null } as const
  const inBatch = <T>(work: (tx: TenantTx, actor: UserActor) => Promise<T>) =>
    inTenant(app.db, systemActor(acme.id), async (tx) =>
      work(tx, await resolveTaskRequester(tx, by, { scopes: ['cadences.write'], now: app.clock.now() })),
    )
  const options = { via: 'manual', now: app.clock.now(), requestKey: 'task' } as const
  await enroll(acme, id, { lead_ids: leadIds, sender_id: sender.userId }, sender)
  const [{ id: enrollmentId }] = await listEnrollments(acme, id)
  const change = { fromSenderId: other.userId, senderId: acme.member.userId, now: app.clock.now() }

  await assert.rejects(
    inBatch((tx, actor) =>
      enrollPersons(tx, actor, id, { leadIds, contactIds: [] }, { ...options, senderId: sender.userId }, app.services),
    ),
    { code: 'sender_not_allowed' },
  )
  assert.deepEqual(await inBatch((tx) => reassignEnrollments(tx, [enrollmentId], change)), [])
  assert.equal((await listEnrollments(acme, id))[0].sender_id, sender.userId)
})

test('enrollments of an active sender are given away by the sender, managers and leads of a team only', async () => {
  const acme = await app.tenant()
  const { id } = await newActiveCadence(acme)
  const [sender, other, lead] = [await acme.person('member'), await acme.person('member'), await acme.person('member')]
  const members = [
    { user_id: sender.userId, role: 'member' },
    { user_id: lead.userId, role: 'lead' },
  ]
  assert.equal((await acme.manager.post('/api/teams/', { name: 'Sales', members })).status, 201)
  const url = `${cadencesUrl}${id}/enrollments`
  await enroll(acme, id, { lead_ids: [await newLead(acme)], sender_id: sender.userId }, sender)
  const [{ id: enrollmentId }] = await listEnrollments(acme, id)
  const change = async (by: User, to: User) =>
    outcomeOf(await by.patch(`${url}/${enrollmentId}`, { sender_id: to.userId }))
  const reassign = async (by: User, from: User, to: User) =>
    outcomeOf(await by.post(`${url}/reassign`, { from_sender_id: from.userId, to_sender_id: to.userId }))
  const no = 'sender_not_allowed'

  assert.deepEqual([await change(other, other), await reassign(other, sender, other)], [no, no], 'takes over')
  assert.deepEqual([await change(sender, other), await reassign(sender, sender, other)], [no, no], 'without consent')
  assert.deepEqual([await change(lead, other), await reassign(lead, sender, other)], [no, no], 'not of the team')
  assert.equal(await change(lead, lead), 200)
  assert.equal(await reassign(lead, lead, sender), 200)
  await allowOthers(other)
  assert.equal(await change(sender, other), 200)
  assert.equal(await change(sender, sender), no)
  assert.equal((await noticesOf(other)).length, 1)
  assert.equal((await noticesOf(sender)).length, 1)
  assert.equal((await acme.admin.patch(`/api/users/${other.userId}`, { status: 'deactivated' })).status, 200)
  assert.equal(await reassign(sender, other, sender), 200, 'the former sender is not active')
  assert.equal(await change(acme.manager, acme.member), 200)
})
