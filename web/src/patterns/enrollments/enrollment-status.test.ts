import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Enrollment } from './enrollment-api.ts'
import { describeStatus, describeStep, sortByLiveness } from './enrollment-status.ts'

const active = {
  id: 'one',
  status: 'active',
  cadence: { id: 'cadence', name: 'Trade fair', status: 'active' },
  sender: { id: 'sender', name: 'Ada' },
  step: { id: 'step', position: 2, type: 'email_auto', subject_template: 'For {{ first_name | you }}: news' },
  step_count: 5,
  next_run_at: '2026-01-05T00:30:00Z',
  timezone: 'America/New_York',
  paused_reason: null,
  paused_until: null,
  exit_reason: null,
  ended_at: null,
} as Enrollment

const describe = (changes: Partial<Enrollment>, zone = 'UTC') =>
  describeStatus({ ...active, ...changes }, { locale: 'en-GB', zone })

test('the next step has its time in the zone of the person, which is named if it is another one', () => {
  assert.equal(describe({}), 'Next step on 4 Jan 2026, 19:30 (America/New York)')
  assert.equal(describe({}, 'America/New_York'), 'Next step on 4 Jan 2026, 19:30')
})

test('an enrollment without a planned step says what it waits for', () => {
  const call = { ...active.step!, type: 'call' } as const

  assert.equal(describe({ next_run_at: null }), 'The email is being sent')
  assert.equal(describe({ next_run_at: null, step: call }), 'Waits for a call by Ada')
  assert.equal(describe({ next_run_at: null, step: call, sender: null }), 'Waits for a call')
  assert.equal(describe({ next_run_at: null, step: null }), '')
  assert.equal(describe({ cadence: { ...active.cadence, status: 'paused' } }), 'The cadence is paused, nothing is sent')
})

test('a paused or ended enrollment says why', () => {
  const ended = { ended_at: '2020-03-02T12:00:00Z', next_run_at: null }

  assert.equal(describe({ status: 'paused', paused_reason: 'auto_reply' }), 'Paused after an automatic reply')
  assert.match(
    describe({ status: 'paused', paused_reason: 'manual', paused_until: '2026-01-09T12:00:00Z' }),
    /^Paused by a user · continues on 9 Jan 2026/,
  )
  assert.equal(describe({ status: 'exited', exit_reason: 'replied', ...ended }), 'Ended by a reply · 2 Mar 2020')
  assert.equal(describe({ status: 'completed', ...ended }), 'All steps were done · 2 Mar 2020')
})

test('a step is named by its place, type and subject without variables', () => {
  const call = { ...active.step!, type: 'call', subject_template: null } as const

  assert.equal(describeStep(active), 'Step 2 of 5 · Email “For …: news”')
  assert.equal(describeStep({ ...active, step: call }), 'Step 2 of 5 · Call')
  assert.equal(describeStep({ ...active, status: 'completed' }), '5 steps')
  assert.equal(describeStep({ ...active, step: null, step_count: 1 }), '1 step')
})

test('enrollments that can still send come first', () => {
  const list = (['exited', 'active', 'completed', 'paused'] as const).map((status) => ({ ...active, status }))

  assert.deepEqual(
    sortByLiveness(list).map(({ status }) => status),
    ['active', 'paused', 'exited', 'completed'],
  )
})
