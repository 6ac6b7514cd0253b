import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LogEntry, needsRetry, nextDispatchAt, outcomeOf, retryAt } from './job-status.rules.ts'

const now = new Date('2026-05-01T12:00:00Z')
const entry = (provider: string, outcome: LogEntry['outcome'], fields: string[] = []): LogEntry => ({
  provider,
  outcome,
  fields,
  error: null,
  ms: 1,
  invalid_fields: [],
  credits: 0,
})
const offline = entry('offline', 'matched', ['country'])

test('the status says how many of the missing fields were found', () => {
  assert.deepEqual(outcomeOf(['country'], [offline], 0), { status: 'succeeded', reason: null })
  assert.deepEqual(outcomeOf(['country', 'title'], [offline], 0), { status: 'partial', reason: null })
  assert.deepEqual(outcomeOf(['title'], [offline], 0), { status: 'no_match', reason: null })
  assert.deepEqual(outcomeOf([], [offline], 1), { status: 'partial', reason: null })
  assert.deepEqual(outcomeOf([], [], 0), { status: 'no_match', reason: null })
})

test('a job fails if every external provider failed, and is skipped if the credits are used up', () => {
  const failed = entry('people', 'error')
  const limited = entry('people', 'quota_exceeded')

  assert.equal(outcomeOf(['country', 'title'], [offline, failed], 0).status, 'failed')
  assert.equal(outcomeOf(['country', 'title'], [offline, failed, entry('other', 'no_match')], 0).status, 'partial')
  assert.deepEqual(outcomeOf(['country', 'title'], [offline, limited], 0), {
    status: 'partial',
    reason: 'quota_exceeded',
  })
  assert.deepEqual(outcomeOf(['title'], [limited], 0), { status: 'skipped', reason: 'quota_exceeded' })
})

test('a job is repeated after an error, unless a provider was charged', () => {
  const failed = entry('people', 'error')

  assert.ok(needsRetry([offline, failed, entry('other', 'no_match')]))
  assert.ok(!needsRetry([offline, failed, entry('other', 'matched')]))
  assert.ok(!needsRetry([offline, entry('people', 'no_match')]))
})

test('retries follow after 1, 5 and 25 minutes', () => {
  const minutes = [0, 1, 2, 3].map((attempts) => {
    const at = retryAt(attempts, now)
    return at && (at.getTime() - now.getTime()) / 60_000
  })

  assert.deepEqual(minutes, [1, 5, 25, undefined])
})

test('the next dispatch starts when a job is due or a claim expires', () => {
  const [soon, later] = [new Date('2026-05-01T12:00:10Z'), new Date('2026-05-01T12:30:00Z')]

  assert.equal(nextDispatchAt({ queued_at: null, claimed_at: null, running: 0 }, now), undefined)
  assert.deepEqual(nextDispatchAt({ queued_at: later, claimed_at: null, running: 0 }, now), later)
  assert.deepEqual(nextDispatchAt({ queued_at: new Date(0), claimed_at: null, running: 0 }, now), now)
  assert.deepEqual(
    nextDispatchAt({ queued_at: later, claimed_at: soon, running: 1 }, now),
    new Date('2026-05-01T12:05:11Z'),
  )
  assert.deepEqual(
    nextDispatchAt({ queued_at: soon, claimed_at: soon, running: 4 }, now),
    new Date('2026-05-01T12:05:11Z'),
  )
})
