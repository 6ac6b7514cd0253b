import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dueAt, nextCheckAt } from './requests.rules.ts'
import type { RequestStatus } from './requests.schemas.ts'

const friday = new Date('2030-03-01T15:00:00Z')
const due = (priority: 'urgent' | 'high' | 'normal' | 'low', from = friday, timezone = 'UTC') =>
  dueAt(from, priority, timezone).toISOString()

test('enablement-7-8 the time of a request stops at weekends in the time zone of the workspace', () => {
  assert.equal(due('normal'), '2030-03-04T15:00:00.000Z')
  assert.equal(due('urgent'), '2030-03-01T19:00:00.000Z')
  assert.equal(due('high', new Date('2030-03-01T20:00:00Z')), '2030-03-04T04:00:00.000Z')
  assert.equal(due('low'), '2030-03-06T15:00:00.000Z')
  assert.equal(due('normal', new Date('2030-03-02T10:00:00Z')), '2030-03-05T00:00:00.000Z')
  assert.equal(due('urgent', new Date('2030-03-02T03:00:00Z'), 'America/New_York'), '2030-03-04T07:00:00.000Z')
})

test('the schedule looks at a request when it is due, when it was late for a day, when its answer is due, and after its answer', () => {
  const request = {
    status: 'assigned' as RequestStatus,
    clock_started_at: new Date('2030-02-28T15:00:00Z'),
    due_at: friday,
    expert_reminded_at: null as Date | null,
    sla_breached_at: null as Date | null,
    is_direct: false,
    answered_at: null as Date | null,
  }
  const check = (fields: Partial<typeof request>, from = friday) =>
    nextCheckAt({ ...request, ...fields }, { from, timezone: 'UTC' })?.toISOString() ?? null

  assert.equal(check({}), '2030-03-01T15:00:00.000Z')
  assert.equal(check({ sla_breached_at: friday }), '2030-03-04T15:00:00.000Z')
  assert.equal(check({ sla_breached_at: friday, is_direct: true }), null)
  assert.equal(check({ status: 'open' }, new Date('2030-03-01T14:00:00Z')), '2030-03-01T14:15:00.000Z')
  assert.equal(check({ status: 'open' }, new Date('2030-03-01T14:50:00Z')), '2030-03-01T15:00:00.000Z')
  assert.equal(check({ status: 'open', sla_breached_at: friday }), '2030-03-01T15:15:00.000Z')
  assert.equal(check({ sla_breached_at: new Date('2030-02-27T15:00:00Z') }), '2030-03-01T15:00:00.000Z')
  assert.equal(check({ status: 'answered', answered_at: friday }), '2030-03-08T15:00:00.000Z')
  assert.equal(check({ status: 'closed', answered_at: friday }), null)
  assert.equal(check({ status: 'in_progress' }, new Date('2030-03-01T12:00:00Z')), '2030-03-01T15:00:00.000Z')
  assert.equal(check({ status: 'in_progress' }), '2030-03-04T15:00:00.000Z')
  assert.equal(check({ status: 'in_progress', expert_reminded_at: friday }), '2030-03-04T15:00:00.000Z')
})
