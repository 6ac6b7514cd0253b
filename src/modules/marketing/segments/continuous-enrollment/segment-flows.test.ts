import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTenantSchedule, startTestApp } from '#testing'
import { newLead, newSegment, type Workspace } from '../segments/segments.fixture.ts'
import { addTestTarget, forgetEnrolled, listEnrolled, newTarget, rejected } from './enroll-target.fixture.ts'
import { runFlowsSchedule } from './run-flows.jobs.ts'

const { tenant, services, db, systemDb } = await startTestApp({}, { prepare: addTestTarget })
const run = (onError?: (fields: object) => void) =>
  runTenantSchedule({ db, systemDb }, runFlowsSchedule(services), onError)
const vip = { field: 'tags', op: 'contains_any', value: ['vip'] }
const setTags = ({ member }: Workspace, id: string, tags: string[]) => member.patch(`/api/leads/${id}`, { tags })
const enroll = (acme: Workspace, id: string, target: object) =>
  acme.member.post(`/api/segments/${id}/enroll`, { ...target, mode: 'continuous' })
const flowsOf = async ({ viewer }: Workspace, id: string) => (await viewer.get(`/api/segments/${id}/flows`)).body.items

test('crm-7-8 a flow enrolls new members once, also if they leave and return, until it is stopped', async () => {
  const acme = await tenant()
  const first = await newLead(acme, { tags: ['vip'] })
  const second = await newLead(acme, {})
  const segment = await newSegment(acme, { rules: vip })
  const target = newTarget()

  const started = await enroll(acme, segment.id, target)
  await run()
  const present = listEnrolled(target)
  await setTags(acme, second, ['vip'])
  await run()
  const withNew = listEnrolled(target)
  await setTags(acme, second, [])
  await run()
  await setTags(acme, second, ['vip'])
  forgetEnrolled(target)
  await run()
  const afterReturn = listEnrolled(target)
  const stopped = await acme.member.delete(`/api/segments/${segment.id}/flows/${started.body.flow_id}`)
  await newLead(acme, { tags: ['vip'] })
  await run()

  assert.deepEqual([started.status, started.body.enrolled], [200, null])
  assert.deepEqual([present, withNew, afterReturn], [[first], [first, second].sort(), []])
  assert.deepEqual([stopped.status, listEnrolled(target)], [204, []])
  const [flow] = await flowsOf(acme, segment.id)
  assert.partialDeepStrictEqual(flow, {
    id: started.body.flow_id,
    is_active: false,
    enrolled_count: 2,
    last_error: null,
  })
  assert.deepEqual(
    (await acme.events()).filter((type) => type.startsWith('segment.')),
    ['segment.created', 'segment.flow_started', 'segment.enrolled', 'segment.enrolled', 'segment.flow_stopped'],
  )
})

test('a flow that is started again continues, and two runs at the same time enroll a member once', async () => {
  const acme = await tenant()
  await newLead(acme, { tags: ['vip'] })
  const segment = await newSegment(acme, { rules: vip })
  const target = newTarget()
  const { body } = await enroll(acme, segment.id, target)

  await Promise.all([run(), run()])
  const once = listEnrolled(target)
  await acme.member.delete(`/api/segments/${segment.id}/flows/${body.flow_id}`)
  const again = await enroll(acme, segment.id, target)
  await run()

  assert.equal(once.length, 1)
  assert.equal(again.body.flow_id, body.flow_id)
  assert.equal(listEnrolled(target).length, 1)
  assert.deepEqual((await flowsOf(acme, segment.id)).length, 1)
})

test('a flow of an invalid segment shows the error, and one of a deactivated user is stopped', async () => {
  const acme = await tenant()
  const segment = await newSegment(acme, { rules: vip })
  await enroll(acme, segment.id, newTarget())
  await acme.sql(`update marketing.segments set rules = '{"field":"custom.gone","op":"is_set"}' where id = $1`, [
    segment.id,
  ])

  await run()
  const [invalid] = await flowsOf(acme, segment.id)
  await acme.sql(`update identity.users set status = 'deactivated' where id = $1`, [acme.member.userId])
  await run()
  const [stopped] = await flowsOf(acme, segment.id)

  assert.deepEqual(
    [invalid.is_active, invalid.last_error],
    [true, 'The rules of the segment are invalid. Correct them first.'],
  )
  assert.equal(stopped.is_active, false)
  assert.match(stopped.last_error, /no longer active/)
})

const noticesOf = async (user: Workspace['member']) =>
  (await user.get('/api/auth/notifications')).body.items.filter(
    ({ kind }: { kind: string }) => kind === 'segment.flow_stopped',
  )

test('the owner of the segment is notified once of a flow that stops, and the admins if the owner is not active', async () => {
  const acme = await tenant()
  const segments = [
    await newSegment(acme, { rules: vip, owner_id: acme.manager.userId }),
    await newSegment(acme, { rules: vip, owner_id: acme.member.userId }),
  ]
  for (const { id } of segments) await enroll(acme, id, newTarget())
  const ended = await enroll(acme, segments[0]!.id, newTarget())
  await acme.manager.delete(`/api/segments/${segments[0]!.id}/flows/${ended.body.flow_id}`)
  await acme.sql(`update identity.users set status = 'deactivated' where id = $1`, [acme.member.userId])

  await Promise.all([run(), run()])
  await run()

  const [owner, admin] = [await noticesOf(acme.manager), await noticesOf(acme.admin)]
  assert.deepEqual([owner.length, admin.length], [1, 1])
  assert.deepEqual([owner[0].resource_id, admin[0].resource_id], [segments[0]!.id, segments[1]!.id])
  assert.match(owner[0].body, /no longer active/)
})

test('the owner is notified of a flow whose campaign another user deletes', async () => {
  const acme = await tenant()
  const segment = await newSegment(acme, { rules: vip, owner_id: acme.member.userId })
  for (const by of [acme.manager, acme.member]) {
    const { body } = await by.post('/api/campaigns/', { name: `Of ${by.userId}`, type: 'email', owner_id: by.userId })
    await enroll(acme, segment.id, { target_type: 'campaign', target_id: body.id })
    assert.equal((await by.delete(`/api/campaigns/${body.id}`)).status, 204)
  }

  const notices = await noticesOf(acme.member)

  assert.equal(notices.length, 1)
  assert.match(notices[0].body, /The campaign was deleted/)
})

test('a flow that fails shows its error and does not stop the other flows of the workspace', async () => {
  const acme = await tenant()
  const lead = await newLead(acme, { tags: ['vip'] })
  const segment = await newSegment(acme, { rules: vip })
  const [broken, working] = [newTarget(), newTarget()]
  await enroll(acme, segment.id, { ...broken, member_status: 'broken' })
  await enroll(acme, segment.id, working)
  const errors: object[] = []

  await run((fields) => errors.push(fields))

  const [failed, good] = await flowsOf(acme, segment.id)
  assert.deepEqual([failed.is_active, failed.last_error], [true, 'The last run failed. The next one tries again.'])
  assert.ok(failed.last_run_at)
  assert.deepEqual([good.last_error, listEnrolled(working)], [null, [lead]])
  assert.equal(errors.filter((fields) => 'flow_id' in fields && fields.flow_id === failed.id).length, 1)
})

test('a member whom the target rejects is offered again until it is taken', async () => {
  const acme = await tenant()
  const lead = await newLead(acme, { tags: ['vip'] })
  const segment = await newSegment(acme, { rules: vip })
  const target = newTarget()
  rejected.add(lead)
  await enroll(acme, segment.id, target)

  await run()
  const atFirst = listEnrolled(target)
  rejected.delete(lead)
  await run()
  await run()

  assert.deepEqual([atFirst, listEnrolled(target)], [[], [lead]])
  const [flow] = await flowsOf(acme, segment.id)
  assert.equal(flow.enrolled_count, 1)
  assert.equal((await acme.events()).filter((type) => type === 'segment.enrolled').length, 1)
})

test('an active flow blocks the deletion of its segment; another workspace cannot see or stop it', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const segment = await newSegment(acme, { rules: vip })
  const target = newTarget()
  const { body } = await enroll(acme, segment.id, target)
  const flow = `/api/segments/${segment.id}/flows/${body.flow_id}`

  const foreign = await other.admin.delete(flow)
  const blocked = await acme.member.delete(`/api/segments/${segment.id}`)
  await acme.member.delete(flow)
  const deleted = await acme.member.delete(`/api/segments/${segment.id}`)

  assert.equal(foreign.status, 404)
  const use = { type: 'flow', id: body.flow_id, name: 'List', target_type: 'list' }
  assert.deepEqual(
    [blocked.status, blocked.body.used_by],
    [409, [{ ...use, target: { id: target.target_id, name: 'List' } }]],
  )
  assert.equal(deleted.status, 204)
})
