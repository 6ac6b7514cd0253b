import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitUntil } from '#testing'
import { createField, options } from '../../../crm/lookup/custom-fields/custom-fields.fixture.ts'
import { addTestTarget } from '../continuous-enrollment/enroll-target.fixture.ts'
import { hot, newSegment, type Workspace } from './segments.fixture.ts'

const { tenant, startTestWorker } = await startTestApp({}, { prepare: addTestTarget })
await startTestWorker()
const url = '/api/segments'
const region = { field: 'custom.area', op: 'eq', value: 'North' }
const stateOf = async ({ viewer }: Workspace, id: string) => (await viewer.get(`${url}/${id}`)).body.state
const untilState = (acme: Workspace, id: string, state: string) =>
  waitUntil(async () => (await stateOf(acme, id)) === state)

test('crm-7-6 a segment whose custom field is deleted by force is invalid until it gets good rules', async () => {
  const acme = await tenant()
  const field = await createField(acme, { key: 'area' })
  const segment = await newSegment(acme, { rules: { all: [hot, { not: region }] } })
  const user = await newSegment(acme, { rules: { fact: 'segment', segment_id: segment.id } })

  const refused = await acme.admin.delete(`/api/custom-fields/${field.id}`)
  const forced = await acme.admin.delete(`/api/custom-fields/${field.id}?force=true`)
  const { body } = await acme.viewer.get(`${url}/${segment.id}`)
  const members = await acme.member.get(`${url}/${segment.id}/members`)
  const enrolled = await acme.member.post(`${url}/${segment.id}/enroll`, { target_type: 'list', target_id: segment.id })
  await untilState(acme, user.id, 'invalid')
  const corrected = await acme.member.patch(`${url}/${segment.id}`, { rules: hot })

  assert.deepEqual([refused.status, refused.body.code], [409, 'field_in_use'])
  assert.equal(refused.body.usage.segments, 1)
  assert.equal(forced.status, 204)
  assert.equal(body.state, 'invalid')
  assert.deepEqual(body.problems, [
    { path: '/all/1/not/field', code: 'unknown_field', message: 'Field "custom.area" does not exist.' },
  ])
  assert.deepEqual([members.status, members.body.code], [409, 'segment_invalid'])
  assert.deepEqual(members.body.problems, body.problems)
  assert.deepEqual([enrolled.status, enrolled.body.code], [409, 'segment_invalid'])
  assert.deepEqual([corrected.status, corrected.body.state, corrected.body.problems], [200, 'ok', []])
  assert.equal((await acme.member.get(`${url}/${segment.id}/members`)).status, 200)
  assert.equal(await stateOf(acme, user.id), 'ok')
})

test('a deactivated field makes its segments invalid, a reactivated one valid again', async () => {
  const acme = await tenant()
  const field = await createField(acme, { object_type: 'account', key: 'area' })
  const segment = await newSegment(acme, { object_type: 'contact', rules: { ...region, field: 'account.custom.area' } })
  const setActive = (is_active: boolean) => acme.admin.patch(`/api/custom-fields/${field.id}`, { is_active })

  await setActive(false)
  await untilState(acme, segment.id, 'invalid')
  await setActive(true)
  await untilState(acme, segment.id, 'ok')

  assert.deepEqual((await acme.viewer.get(`${url}/${segment.id}`)).body.references, [
    { kind: 'field', ref: 'account.custom.area', name: field.label },
  ])
})

test('a removed option makes the segments invalid that compare with it', async () => {
  const acme = await tenant()
  const field = await createField(acme, { key: 'tier', type: 'select', options: options('gold', 'silver') })
  const segment = await newSegment(acme, { rules: { field: 'custom.tier', op: 'eq', value: 'gold' } })

  await acme.admin.patch(`/api/custom-fields/${field.id}`, { options: options('silver') })
  const members = await acme.member.get(`${url}/${segment.id}/members`)
  await untilState(acme, segment.id, 'invalid')

  assert.deepEqual([members.status, members.body.code], [409, 'segment_invalid'])
})
