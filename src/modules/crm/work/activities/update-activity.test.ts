import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { tenant, clock } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const leadsUrl = '/api/leads/'
const createLead = async (acme: Acme) => (await acme.member.post(leadsUrl, { last_name: 'Moss' })).body
const activitiesUrl = ({ id }: { id: string }) => `${leadsUrl}${id}/activities`
const read = async (acme: Acme, { id }: { id: string }) => (await acme.member.get(`${leadsUrl}${id}`)).body

test('a completed task is no longer open', async () => {
  const acme = await tenant()
  const lead = await createLead(acme)
  const due_at = new Date(clock.now().getTime() + 86_400_000).toISOString()
  const task = (
    await acme.member.post(activitiesUrl(lead), {
      type: 'task',
      subject: 'Call back',
      due_at,
      assignee_id: acme.manager.userId,
    })
  ).body
  assert.deepEqual((await acme.member.get(`${activitiesUrl(lead)}?open_tasks=true`)).body.items, [task])

  const completed_at = clock.now().toISOString()
  const done = await acme.member.patch(`${activitiesUrl(lead)}/${task.id}`, {
    completed_at,
    outcome: 'She is on holiday',
  })

  assert.equal(done.status, 200)
  assert.partialDeepStrictEqual(done.body, { completed_at, outcome: 'She is on holiday', version: 2 })
  assert.deepEqual(done.body.assignee, { id: acme.manager.userId, name: acme.manager.name })
  assert.deepEqual((await acme.member.get(`${activitiesUrl(lead)}?open_tasks=true`)).body.items, [])
  const again = await acme.member.patch(`${activitiesUrl(lead)}/${task.id}`, { completed_at })
  assert.equal(again.body.version, 2)
  const stale = await acme.member.patch(
    `${activitiesUrl(lead)}/${task.id}`,
    { subject: 'Other' },
    { 'if-match': '"1"' },
  )
  assert.deepEqual([stale.status, stale.body.code], [412, 'version_mismatch'])
})

test('the assignee of a task can complete it, but neither change the rest of it nor delete it', async () => {
  const acme = await tenant()
  const [assignee, other] = [await acme.person('member'), await acme.person('member')]
  const lead = await createLead(acme)
  const assigned = { subject: 'Call back', assignee_id: assignee.userId }
  const task = (await acme.member.post(activitiesUrl(lead), { type: 'task', ...assigned })).body
  const meeting = (await acme.member.post(activitiesUrl(lead), { type: 'meeting', ...assigned })).body
  const urlOf = ({ id }: { id: string }) => `${activitiesUrl(lead)}/${id}`
  const completion = { completed_at: clock.now().toISOString(), outcome: 'Called' }

  const refused = [
    await other.patch(urlOf(task), completion),
    await assignee.patch(urlOf(task), { ...completion, subject: 'Other' }),
    await assignee.patch(urlOf(meeting), { outcome: 'held' }),
    await assignee.delete(urlOf(task)),
  ]
  const completed = await assignee.patch(urlOf(task), completion)

  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.code]),
    Array(4).fill([403, 'role_required']),
  )
  assert.equal(completed.status, 200)
  assert.equal(completed.body.outcome, 'Called')
})

test('a meeting updated to held moves the lead to working', async () => {
  const acme = await tenant()
  const lead = await createLead(acme)
  const meeting = (await acme.member.post(activitiesUrl(lead), { type: 'meeting', outcome: 'scheduled' })).body
  assert.equal((await read(acme, lead)).status, 'contacted')

  await acme.member.patch(`${activitiesUrl(lead)}/${meeting.id}`, { outcome: 'held' })

  const held = await read(acme, lead)
  assert.equal(held.status, 'working')
  assert.ok(held.engagement_score > lead.engagement_score)
  assert.equal((await acme.member.patch(`${activitiesUrl(lead)}/${meeting.id}`, { outcome: 'busy' })).status, 422)
  assert.equal(
    (await acme.member.patch(`${activitiesUrl(lead)}/${meeting.id}`, { completed_at: held.created_at })).status,
    422,
  )
})

test('deleting a response resets the response time, SLA and score', async () => {
  const acme = await tenant()
  const lead = await createLead(acme)
  const call = (await acme.member.post(activitiesUrl(lead), { type: 'call', outcome: 'connected' })).body

  const { status } = await acme.member.delete(`${activitiesUrl(lead)}/${call.id}`)

  assert.equal(status, 204)
  const waiting = await read(acme, lead)
  assert.partialDeepStrictEqual(waiting, {
    status: 'contacted',
    first_responded_at: null,
    first_responder_id: null,
    sla_status: 'pending',
    last_activity_at: null,
    engagement_score: lead.engagement_score,
  })
  assert.equal((await acme.member.delete(`${activitiesUrl(lead)}/${call.id}`)).status, 404)
  assert.ok((await acme.audit()).includes('activity.deleted'))
})

test('deleting an activity recalculates the last activity and engagement of the lead and its contact', async () => {
  const acme = await tenant()
  const lead = await createLead(acme)
  const minutesAgo = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000).toISOString()
  const log = async (activity: object) => (await acme.member.post(activitiesUrl(lead), activity)).body
  await log({ type: 'email_replied', occurred_at: minutesAgo(30) })
  await log({ type: 'email_bounced', occurred_at: minutesAgo(20) })
  const call = await log({ type: 'call', direction: 'in', occurred_at: minutesAgo(10) })
  const contact = (await acme.member.post(`${leadsUrl}${lead.id}/convert`)).body.contact
  const activityTimes = async () => {
    const records = [await read(acme, lead), (await acme.member.get(`/api/contacts/${contact.id}`)).body]
    return records.map(({ last_activity_at, last_engaged_at }) => [last_activity_at, last_engaged_at])
  }
  const before = await activityTimes()

  assert.equal((await acme.member.delete(`${activitiesUrl(lead)}/${call.id}`)).status, 204)

  const { items } = (await acme.member.get(`${activitiesUrl(lead)}?type=email_replied,email_bounced`)).body
  const [bounce, reply] = items.map(({ occurred_at }: { occurred_at: string }) => occurred_at)
  assert.deepEqual(before, Array(2).fill([call.occurred_at, call.occurred_at]))
  assert.deepEqual(await activityTimes(), Array(2).fill([bounce, reply]))
})

test('only the author and managers can change an activity; signals and system activities cannot be changed', async () => {
  const acme = await tenant()
  const colleague = await acme.person('member')
  const lead = await createLead(acme)
  const note = (await acme.member.post(activitiesUrl(lead), { type: 'note', body: 'Nice' })).body
  const click = (await acme.member.post(activitiesUrl(lead), { type: 'email_clicked' })).body
  await acme.member.patch(`${leadsUrl}${lead.id}`, { status: 'working' })
  const [system] = (await acme.member.get(`${activitiesUrl(lead)}?type=status_changed`)).body.items

  const refused = [
    await colleague.patch(`${activitiesUrl(lead)}/${note.id}`, { body: 'Not nice' }),
    await colleague.delete(`${activitiesUrl(lead)}/${note.id}`),
    await acme.viewer.delete(`${activitiesUrl(lead)}/${note.id}`),
  ]
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.code]),
    [
      [403, 'role_required'],
      [403, 'role_required'],
      [403, 'scope_required'],
    ],
  )
  for (const { id } of [click, system]) {
    assert.equal((await acme.admin.patch(`${activitiesUrl(lead)}/${id}`, { body: 'Other' })).status, 409)
    assert.equal((await acme.admin.delete(`${activitiesUrl(lead)}/${id}`)).status, 409)
  }
  assert.equal((await acme.manager.patch(`${activitiesUrl(lead)}/${note.id}`, { body: 'Not nice' })).status, 200)
  assert.equal((await acme.manager.delete(`${activitiesUrl(lead)}/${note.id}`)).status, 204)
  const other = await createLead(acme)
  assert.equal((await acme.admin.delete(`${activitiesUrl(other)}/${click.id}`)).status, 404, 'another lead')
})
