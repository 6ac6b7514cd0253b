import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cadence } from '../cadence-queries.ts'
import type { CadenceStep } from '../steps/step-model.ts'
import {
  describeNext,
  describeTime,
  type Enrollment,
  hueOf,
  nameOf,
  pathOf,
  placeOf,
  stateOf,
} from './enrollment-rows.ts'

const moment = { now: Date.parse('2026-11-19T10:00:00Z'), locale: 'en-GB' }
const steps = [
  { id: 'mail', type: 'email_auto' },
  { id: 'call', type: 'call' },
] as CadenceStep[]
const cadence = { status: 'active', steps } as Cadence
const active = {
  status: 'active',
  lead: { id: 'l', name: 'Anna Keller', email: 'anna@x.example', company: 'Meridian', status: 'new' },
  contact: null,
  current_step_id: 'call',
  next_run_at: null,
  ended_at: null,
  exit_reason: null,
  paused_reason: null,
  paused_until: null,
} as Enrollment
const next = (changes: Partial<Enrollment>, of = cadence) => describeNext({ ...active, ...changes }, of, moment).text

test('the next event of a person is a time, what is waited for, or the reason of a pause', () => {
  assert.equal(next({ next_run_at: '2026-11-19T13:10:00Z' }), 'Today, 13:10')
  assert.equal(next({ next_run_at: '2026-11-20T08:20:00Z' }), 'Tomorrow, 08:20')
  assert.equal(describeTime('2026-11-26T09:00:00Z', moment), '26 Nov, 09:00')
  assert.equal(next({}), 'waits for a call')
  assert.equal(next({ status: 'paused', paused_reason: 'missing_variable' }), 'a value is missing')
  assert.equal(
    next({ status: 'paused', paused_reason: 'auto_reply', paused_until: '2026-11-24T09:00:00Z' }),
    'automatic reply, until 24 Nov',
  )
  assert.equal(next({ status: 'exited', exit_reason: 'replied', ended_at: '2026-11-13T09:00:00Z' }), 'ended 13 Nov')
  assert.equal(next({}, { ...cadence, status: 'paused' }), 'cadence is paused')
})

test('an ended enrollment has the state of its reason', () => {
  const replied = { ...active, status: 'exited', exit_reason: 'replied' } as Enrollment

  assert.deepEqual([stateOf(replied), hueOf(replied)], ['replied', 'info'])
  assert.deepEqual([stateOf(active), hueOf(active)], ['active', 'success'])
})

test('a person has a name, a page and a place in the steps', () => {
  const contact = { id: 'c', name: null, email: 'kim@x.example', title: null, account_name: null }
  const nameless = { ...active, lead: null, contact } as Enrollment
  const erased = { ...active, lead: null } as Enrollment

  assert.deepEqual([nameOf(active), pathOf(active)], ['Anna Keller', '/leads/l'])
  assert.deepEqual([nameOf(nameless), pathOf(nameless)], ['kim@x.example', '/contacts/c'])
  assert.deepEqual([nameOf(erased), pathOf(erased)], ['Erased person', undefined])
  assert.deepEqual([placeOf(active, steps), placeOf({ ...active, status: 'completed' }, steps)], [2, 2])
  assert.equal(placeOf({ ...active, current_step_id: 'removed' }, steps), undefined)
})
