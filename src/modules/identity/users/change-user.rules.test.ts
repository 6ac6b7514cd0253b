import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignedIn } from '#platform/access'
import {
  assertHandover,
  assertMayManage,
  assertNoCycle,
  assertNotLastAdmin,
  assertNotSelf,
  assertTransition,
  isOtherAddress,
  longestLine,
} from './change-user.rules.ts'

const [ada, grace] = ['0198c0de-0000-7000-8000-00000000000a', '0198c0de-0000-7000-8000-00000000000b']
const admin = { userId: ada, type: 'user', role: 'admin' } as unknown as SignedIn
const target = { id: grace, role: 'admin', status: 'active', version: 1 }

test('a machine lays no hand on an admin', () => {
  const machine = { ...admin, type: 'api_key' } as SignedIn

  assert.throws(() => assertMayManage(machine, 'member', 'admin'), { code: 'session_required' })
  assert.doesNotThrow(() => assertMayManage(machine, 'member', 'manager'))
  assert.doesNotThrow(() => assertMayManage(admin, 'admin'))
})

test('nobody changes their own role or status, but may name them as they are', () => {
  const self = { ...target, id: ada }

  assert.throws(() => assertNotSelf(admin, self, { role: 'member' }), { code: 'self_change' })
  assert.throws(() => assertNotSelf(admin, self, { status: 'deactivated' }), { code: 'self_change' })
  assert.doesNotThrow(() => assertNotSelf(admin, self, { role: 'admin', status: 'active' }))
  assert.doesNotThrow(() => assertNotSelf(admin, target, { role: 'member' }))
})

test('one active admin always remains', () => {
  assert.throws(() => assertNotLastAdmin(target, [grace], { role: 'viewer' }), { code: 'last_admin' })
  assert.throws(() => assertNotLastAdmin(target, [grace], { status: 'deactivated' }), { code: 'last_admin' })
  assert.doesNotThrow(() => assertNotLastAdmin(target, [grace], { role: 'admin', name: 'Grace' } as never))
  assert.doesNotThrow(() => assertNotLastAdmin(target, [ada, grace], { role: 'viewer' }))
  assert.doesNotThrow(() => assertNotLastAdmin(target, [ada], { role: 'viewer' }))
})

test('an account goes from one state to the next in known ways', () => {
  for (const [from, to] of [
    ['active', 'deactivated'],
    ['invited', 'deactivated'],
    ['deactivated', 'active'],
    ['active', 'active'],
    ['invited', undefined],
  ] as const)
    assert.doesNotThrow(() => assertTransition(from, to), `${from} to ${to}`)
  assert.throws(() => assertTransition('invited', 'active'), {
    code: 'invalid_transition',
    extra: { from: 'invited', to: 'active', allowed: ['deactivated'] },
  })
  assert.throws(() => assertTransition('erased', undefined), { code: 'conflict' })
})

test('nobody reports to somebody who reports to them, nor to themselves', () => {
  assert.throws(() => assertNoCycle(ada, [grace, ada]), { status: 422 })
  assert.throws(() => assertNoCycle(ada, [ada]), { status: 422 })
  assert.throws(() => assertNoCycle(ada, Array(longestLine).fill(grace)), { status: 422 })
  assert.doesNotThrow(() => assertNoCycle(ada, [grace]))
})

test('records are handed over to somebody else, and only by who leaves', () => {
  assert.throws(() => assertHandover(ada, { reassign_to_user_id: grace }), { status: 422 })
  assert.throws(() => assertHandover(ada, { status: 'deactivated', reassign_to_user_id: ada }), { status: 422 })
  assert.doesNotThrow(() => assertHandover(ada, { status: 'deactivated', reassign_to_user_id: grace }))
})

test('the same mailbox in other letters is no new address', () => {
  assert.equal(isOtherAddress('Ada@engines.example', 'ada@ENGINES.example'), false)
  assert.equal(isOtherAddress('ada@engines.example', 'ada@looms.example'), true)
})
