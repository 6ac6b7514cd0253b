import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserActor } from '#platform/access'
import {
  assertNoReportingCycle,
  assertNotLastAdmin,
  assertNotOwnRoleOrStatus,
  assertReassignment,
  assertUserTransition,
  isDifferentEmail,
  maxReportingDepth,
} from './update-user.rules.ts'

const [ada, grace] = ['0198c0de-0000-7000-8000-00000000000a', '0198c0de-0000-7000-8000-00000000000b']
const admin = { userId: ada, type: 'user', role: 'admin' } as unknown as UserActor
const target = { id: grace, role: 'admin', status: 'active', version: 1 }

test('a user cannot change their own role or status, but may send the current values', () => {
  const self = { ...target, id: ada }

  assert.throws(() => assertNotOwnRoleOrStatus(admin, self, { role: 'member' }), { code: 'self_change' })
  assert.throws(() => assertNotOwnRoleOrStatus(admin, self, { status: 'deactivated' }), { code: 'self_change' })
  assert.doesNotThrow(() => assertNotOwnRoleOrStatus(admin, self, { role: 'admin', status: 'active' }))
  assert.doesNotThrow(() => assertNotOwnRoleOrStatus(admin, target, { role: 'member' }))
})

test('the last active admin cannot be removed', () => {
  assert.throws(() => assertNotLastAdmin(target, [grace], { role: 'viewer' }), { code: 'last_admin' })
  assert.throws(() => assertNotLastAdmin(target, [grace], { status: 'deactivated' }), { code: 'last_admin' })
  assert.doesNotThrow(() => assertNotLastAdmin(target, [grace], { role: 'admin', name: 'Grace' } as never))
  assert.doesNotThrow(() => assertNotLastAdmin(target, [ada, grace], { role: 'viewer' }))
  assert.doesNotThrow(() => assertNotLastAdmin(target, [ada], { role: 'viewer' }))
})

test('only allowed status transitions are accepted', () => {
  for (const [from, to] of [
    ['active', 'deactivated'],
    ['invited', 'deactivated'],
    ['deactivated', 'active'],
    ['active', 'active'],
    ['invited', undefined],
  ] as const)
    assert.doesNotThrow(() => assertUserTransition(from, to), `${from} to ${to}`)
  assert.throws(() => assertUserTransition('invited', 'active'), {
    code: 'invalid_transition',
    extra: { from: 'invited', to: 'active', allowed: ['deactivated'] },
  })
  assert.throws(() => assertUserTransition('erased', undefined), { code: 'conflict' })
})

test('a user cannot report to themselves, directly or indirectly', () => {
  assert.throws(() => assertNoReportingCycle(ada, [grace, ada]), { status: 422 })
  assert.throws(() => assertNoReportingCycle(ada, [ada]), { status: 422 })
  assert.throws(() => assertNoReportingCycle(ada, Array(maxReportingDepth).fill(grace)), { status: 422 })
  assert.doesNotThrow(() => assertNoReportingCycle(ada, [grace]))
})

test('records can be reassigned only to another user and only on deactivation', () => {
  assert.throws(() => assertReassignment(ada, { reassign_to_user_id: grace }), { status: 422 })
  assert.throws(() => assertReassignment(ada, { status: 'deactivated', reassign_to_user_id: ada }), { status: 422 })
  assert.doesNotThrow(() => assertReassignment(ada, { status: 'deactivated', reassign_to_user_id: grace }))
})

test('email addresses that differ only in case are the same', () => {
  assert.equal(isDifferentEmail('Ada@engines.example', 'ada@ENGINES.example'), false)
  assert.equal(isDifferentEmail('ada@engines.example', 'ada@looms.example'), true)
})
