import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsLater } from '#platform/clock'
import { decideRotation, idleExpiryOf, type RotationState } from './rotation.rules.ts'

const start = new Date('2026-03-01T09:00:00.000Z')
const at = (seconds: number) => secondsLater(start, seconds)
const session = { revoked_at: null, idle_expires_at: at(14 * 86_400), expires_at: at(30 * 86_400) }
const rotatedAt900: RotationState = { token: { seq: 1, rotated_at: at(900) }, newest: { seq: 2 }, session }

test('an unused token is rotated', () => {
  const fresh: RotationState = { token: { seq: 1, rotated_at: null }, newest: { seq: 1 }, session }

  assert.equal(decideRotation(fresh, 'body', at(900)), 'rotate')
})

test('a replaced token returns its successor for ten seconds and is a replay afterwards', () => {
  assert.equal(decideRotation(rotatedAt900, 'body', at(905)), 'repeat')
  assert.equal(decideRotation(rotatedAt900, 'body', at(910)), 'repeat')
  assert.equal(decideRotation(rotatedAt900, 'body', at(910.001)), 'reuse')
  assert.equal(decideRotation(rotatedAt900, 'body', at(911)), 'reuse')
})

test('a replaced token of a cookie returns its successor for thirty seconds', () => {
  assert.equal(decideRotation(rotatedAt900, 'cookie', at(930)), 'repeat')
  assert.equal(decideRotation(rotatedAt900, 'cookie', at(930.001)), 'reuse')
})

test('only the direct predecessor of the newest token has a grace period', () => {
  assert.equal(decideRotation({ ...rotatedAt900, newest: { seq: 3 } }, 'body', at(901)), 'reuse')
})

test('a revoked or expired session cannot be refreshed', () => {
  const fresh = { token: { seq: 1, rotated_at: null }, newest: { seq: 1 } }

  assert.equal(decideRotation({ ...fresh, session: { ...session, revoked_at: at(1) } }, 'body', at(2)), 'revoked')
  assert.equal(
    decideRotation({ ...fresh, session: { ...session, idle_expires_at: at(10) } }, 'body', at(10)),
    'expired',
  )
  assert.equal(decideRotation({ ...fresh, session: { ...session, expires_at: at(10) } }, 'body', at(10)), 'expired')
})

test('the idle expiry never exceeds the session expiry', () => {
  assert.deepEqual(idleExpiryOf(start, 14, session.expires_at), at(14 * 86_400))
  assert.deepEqual(idleExpiryOf(at(20 * 86_400), 14, session.expires_at), session.expires_at)
})
