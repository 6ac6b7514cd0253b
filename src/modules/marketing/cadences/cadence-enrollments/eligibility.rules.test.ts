import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ExitReason, exitReasons } from '../cadence-records/enrollment-states.rules.ts'
import { checkEligibility, type EligibilityFacts } from './eligibility.rules.ts'

const now = new Date('2026-03-06T15:00:00Z')
const cadence = { id: 'c1', status: 'active', owner_id: null, reenroll_after_days: null } as const
const facts: EligibilityFacts = {
  cadence,
  firstStep: 'email_auto',
  requestedSenderId: undefined,
  activeUserIds: new Set(['owner', 'sender']),
  maxLiveCadences: 1,
  now,
}
const person = {
  id: 'p1',
  kind: 'lead',
  lead_status: 'new',
  email_key: 'ada@acme.example',
  owner_id: 'owner',
  processing_restricted: false,
} as const
const ended = (cadence_id: string, days: number, exit_reason: ExitReason | null = null, is_delivered = false) => ({
  cadence_id,
  status: exit_reason ? ('exited' as const) : ('completed' as const),
  exit_reason,
  ended_at: new Date(now.getTime() - days * 86_400_000),
  is_delivered,
})
const live = (cadence_id: string) => ({
  cadence_id,
  status: 'active' as const,
  exit_reason: null,
  ended_at: null,
  is_delivered: false,
})

const check = (
  of: object = {},
  facts_: Partial<EligibilityFacts> = {},
  earlier: Parameters<typeof checkEligibility>[1]['earlier'] = [],
  permission: Parameters<typeof checkEligibility>[1]['permission'] = { allowed: true },
) => {
  const result = checkEligibility({ ...facts, ...facts_ }, { person: { ...person, ...of }, permission, earlier })
  return 'code' in result ? result.code : result.senderId
}

test('a person is enrolled by the requested sender, the owner of the record or the owner of the cadence', () => {
  assert.equal(check(), 'owner')
  assert.equal(check({}, { requestedSenderId: 'sender' }), 'sender')
  assert.equal(check({ owner_id: 'left' }, { cadence: { ...cadence, owner_id: 'sender' } }), 'sender')
  assert.equal(check({ owner_id: null }), 'no_sender')
})

test('each reason against an enrollment has its code', () => {
  assert.equal(check({}, { cadence: { ...cadence, status: 'paused' } }), 'cadence_not_active')
  assert.equal(check({ lead_status: 'converted' }), 'lead_converted')
  assert.equal(check({ lead_status: 'unqualified' }), 'lead_unqualified')
  assert.equal(check({ email_key: null }), 'no_email')
  assert.equal(check({ email_key: null }, { firstStep: 'call' }, [], undefined), 'owner')
  assert.equal(check({ processing_restricted: true }), 'processing_restricted')
  for (const code of ['opted_out', 'not_opted_in', 'bounced', 'processing_restricted'] as const)
    assert.equal(check({}, {}, [], { allowed: false, code }), code)
})

test('earlier enrollments in this and other cadences are considered', () => {
  const again = { cadence: { ...cadence, reenroll_after_days: 30 } }

  assert.equal(check({}, {}, [live('c1')]), 'already_enrolled')
  assert.equal(check({}, {}, [ended('c1', 400)]), 'reenroll_too_early')
  assert.equal(check({}, again, [ended('c1', 29)]), 'reenroll_too_early')
  assert.equal(check({}, again, [ended('c1', 30)]), 'owner')
  assert.equal(check({}, {}, [live('c2')]), 'in_other_cadence')
  assert.equal(check({}, { maxLiveCadences: 2 }, [live('c2'), live('c2')]), 'owner')
  assert.equal(check({}, {}, [ended('c2', 1)]), 'owner')
})

test('an enrollment that ended before it reached the address does not prevent another one, unless the person answered', () => {
  const prevents = (isDelivered: boolean) =>
    exitReasons.filter((reason) => check({}, {}, [ended('c1', 400, reason, isDelivered)]) === 'reenroll_too_early')

  assert.deepEqual(prevents(false), ['replied', 'meeting_booked', 'opted_out'])
  assert.deepEqual(prevents(true), [...exitReasons])
})
