import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitForTask } from '#testing'
import { everything, newLead, newSegment, type Workspace } from '../segments/segments.fixture.ts'
import { addTestTarget, listEnrolled, newTarget } from './enroll-target.fixture.ts'

const { tenant, startTestWorker } = await startTestApp({}, { prepare: addTestTarget })
const worker = await startTestWorker()
const enroll = (acme: Workspace, id: string, body: object) => acme.member.post(`/api/segments/${id}/enroll`, body)
const vip = { field: 'tags', op: 'contains_any', value: ['vip'] }

const addLeads = (acme: Workspace, count: number) =>
  acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, source, search_text, created_on)
     select $1, gen_random_uuid(), 'Moss', 'web', ' moss', '2026-01-01' from generate_series(1, $2::int)`,
    [acme.id, count],
  )

test('members are enrolled once; again they are skipped', async () => {
  const acme = await tenant()
  const ids = [await newLead(acme, { tags: ['vip'] }), await newLead(acme, { tags: ['vip'] })].sort()
  await newLead(acme, {})
  const segment = await newSegment(acme, { rules: vip })
  const target = newTarget()

  const first = await enroll(acme, segment.id, target)
  const second = await enroll(acme, segment.id, target)

  const result = { matched: 2, enrolled: 2, skipped: {}, flow_id: null }
  assert.deepEqual([first.status, first.body], [200, result])
  assert.deepEqual(second.body, { ...result, enrolled: 0, skipped: { already_member: 2 } })
  assert.deepEqual(listEnrolled(target), ids)
  assert.deepEqual((await acme.events()).slice(-3), ['segment.created', 'segment.enrolled', 'segment.enrolled'])
})

test('a segment without members enrolls nothing', async () => {
  const acme = await tenant()
  const segment = await newSegment(acme, { object_type: 'contact', rules: everything })

  const { status, body } = await enroll(acme, segment.id, newTarget())

  assert.deepEqual([status, body], [200, { matched: 0, enrolled: 0, skipped: {}, flow_id: null }])
})

test('more than 200 members are enrolled by a task', async () => {
  const acme = await tenant()
  await addLeads(acme, 1_001)
  const segment = await newSegment(acme, { rules: everything })
  const target = newTarget()

  const started = await enroll(acme, segment.id, target)
  const task = await waitForTask(acme, started.body)

  assert.equal(started.status, 202)
  assert.deepEqual([task.state, task.result], ['succeeded', { matched: 1_001, enrolled: 1_001, skipped: {} }])
  assert.equal(new Set(listEnrolled(target)).size, 1_001)
  assert.deepEqual((await acme.events()).filter((type) => type === 'segment.enrolled').length, 1)
})

test('enrolling needs the write scope of the target, a known target and valid options', async () => {
  const acme = await tenant()
  const segment = await newSegment(acme)
  const accounts = await newSegment(acme, { object_type: 'account', rules: everything })
  const { body: key } = await acme.member.post('/api/api-keys', { name: 'Segments', scopes: ['segments.write'] })
  const target = newTarget()

  const withoutScope = await acme.bearer(`ApiKey ${key.key}`).post(`/api/segments/${segment.id}/enroll`, target)
  const unknown = await enroll(acme, segment.id, { ...target, target_type: 'newsletter' })
  const badStatus = await enroll(acme, segment.id, { ...target, member_status: 'unknown' })
  const ofAccounts = await enroll(acme, accounts.id, target)

  assert.deepEqual([withoutScope.status, withoutScope.body.required_scope], [403, 'campaigns.write'])
  assert.deepEqual([unknown.status, unknown.body.errors[0].code], [422, 'unknown_target'])
  assert.deepEqual([badStatus.status, badStatus.body.errors[0].path], [422, '/member_status'])
  assert.deepEqual([ofAccounts.status, ofAccounts.body.errors[0].code], [422, 'object_type'])
  assert.equal((await acme.viewer.post(`/api/segments/${segment.id}/enroll`, target)).status, 403)
  assert.equal((await (await tenant()).admin.post(`/api/segments/${segment.id}/enroll`, target)).status, 404)
})

test('the wrong status of a campaign is reported at its field, and a sender is rejected', async () => {
  const acme = await tenant()
  const segment = await newSegment(acme, { rules: everything })
  const campaign = (await acme.member.post('/api/campaigns/', { name: 'Spring', type: 'email' })).body
  const target = { target_type: 'campaign', target_id: campaign.id }

  const status = await enroll(acme, segment.id, { ...target, member_status: 'lost' })
  const sender = await enroll(acme, segment.id, { ...target, sender_id: acme.member.userId })

  assert.deepEqual([status.status, status.body.errors[0].path], [422, '/member_status'])
  assert.match(status.body.errors[0].message, /^`member_status` must be one of/)
  assert.deepEqual([sender.status, sender.body.errors[0].path], [422, '/sender_id'])
})

test('the task of a segment that was deleted after its start ends without an error', async () => {
  const acme = await tenant()
  await addLeads(acme, 201)
  const segment = await newSegment(acme, { rules: everything })
  await worker.stop()

  const started = await enroll(acme, segment.id, newTarget())
  const deleted = await acme.member.delete(`/api/segments/${segment.id}`)
  await startTestWorker()
  const task = await waitForTask(acme, started.body)

  assert.deepEqual([started.status, deleted.status], [202, 204])
  assert.deepEqual([task.state, task.result], ['succeeded', { matched: 0, enrolled: 0, skipped: {} }])
})
