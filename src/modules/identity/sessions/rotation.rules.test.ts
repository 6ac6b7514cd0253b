import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsLater } from '#platform/clock'
import { decideRotation, idleEnd, type RotationState } from './rotation.rules.ts'

const start = new Date('2026-03-01T09:00:00.000Z')
const at = (seconds: number) => secondsLater(start, seconds)
const session = { revoked_at: null, idle_expires_at: at(14 * 86_400), expires_at: at(30 * 86_400) }
const rotatedAt900: RotationState = { token: { seq: 1, rotated_at: at(900) }, head: { seq: 2 }, session }

test('a token that was not shown before is replaced', () => {
  const fresh: RotationState = { token: { seq: 1, rotated_at: null }, head: { seq: 1 }, session }

  assert.equal(decideRotation(fresh, at(900)), 'rotate')
})

test('the token before is answered with its successor for ten seconds, and then it is a replay', () => {
  assert.equal(decideRotation(rotatedAt900, at(905)), 'repeat')
  assert.equal(decideRotation(rotatedAt900, at(910)), 'repeat')
  assert.equal(decideRotation(rotatedAt900, at(910.001)), 'reuse')
  assert.equal(decideRotation(rotatedAt900, at(911)), 'reuse')
})

test('only the direct parent of the newest token has a grace', () => {
  assert.equal(decideRotation({ ...rotatedAt900, head: { seq: 3 } }, at(901)), 'reuse')
})

test('a session that has ended refreshes nothing, whatever is shown', () => {
  const fresh = { token: { seq: 1, rotated_at: null }, head: { seq: 1 } }

  assert.equal(decideRotation({ ...fresh, session: { ...session, revoked_at: at(1) } }, at(2)), 'revoked')
  assert.equal(decideRotation({ ...fresh, session: { ...session, idle_expires_at: at(10) } }, at(10)), 'expired')
  assert.equal(decideRotation({ ...fresh, session: { ...session, expires_at: at(10) } }, at(10)), 'expired')
})

test('the idle limit never reaches past the end of the session', () => {
  assert.deepEqual(idleEnd(start, 14, session.expires_at), at(14 * 86_400))
  assert.deepEqual(idleEnd(at(20 * 86_400), 14, session.expires_at), session.expires_at)
})
