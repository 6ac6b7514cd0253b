import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopesOfRole as expectedScopesOf } from '../../../tests/matrix/permissions.ts'
import {
  assertFreshLogin,
  baselineScope,
  canAccess,
  describeResource,
  describeScope,
  resources,
  roleScopes,
  roles,
  scopes,
  scopesOfRole,
} from './index.ts'

test('every role has the scopes that the access matrix expects', () => {
  for (const role of roles) assert.deepEqual(scopesOfRole(role), expectedScopesOf(role), role)
})

test('rights to own records only are rights to delete', () => {
  const own = roles.flatMap((role) => [...roleScopes[role]].filter(([, reach]) => reach === 'own'))

  assert.ok(own.length > 0)
  assert.ok(own.every(([scope]) => scope.endsWith('.delete')))
})

test('only admins have the admin scopes, and a viewer has only read scopes', () => {
  assert.ok(scopesOfRole('admin').has('admin.write'))
  assert.ok((['manager', 'member', 'viewer'] as const).every((role) => !scopesOfRole(role).has('admin.read')))
  assert.ok([...scopesOfRole('viewer')].every((scope) => scope.endsWith('.read')))
  assert.ok(!scopesOfRole('manager').has('users.write'))
})

test('a member can delete records they own, and unowned records they created', () => {
  const [me, colleague] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002']
  const may = (
    role: 'manager' | 'member' | 'viewer',
    record: { owner_id?: string | null; created_by?: string | null },
  ) => canAccess({ role, userId: me, scopes: scopesOfRole(role) }, 'leads.delete', record)

  assert.ok(may('member', { owner_id: me, created_by: colleague }))
  assert.ok(may('member', { owner_id: null, created_by: me }))
  assert.ok(!may('member', { owner_id: colleague, created_by: me }))
  assert.ok(!may('member', { owner_id: null, created_by: null }))
  assert.ok(may('manager', { owner_id: colleague, created_by: colleague }))
  assert.ok(!may('viewer', { owner_id: me, created_by: me }))
  assert.ok(!canAccess({ role: 'member', userId: me, scopes: new Set(scopes) }, 'accounts.delete', { owner_id: me }))
})

test('an API key without the scope cannot access records that its creator can', () => {
  const key = { role: 'admin', userId: '01890000-0000-7000-8000-000000000001' } as const

  assert.ok(!canAccess({ ...key, scopes: new Set(['leads.write']) }, 'leads.delete', { owner_id: key.userId }))
  assert.ok(canAccess({ ...key, scopes: new Set(['leads.delete']) }, 'leads.delete', { owner_id: null }))
})

test('scopes of existing resources have unique descriptions', () => {
  const existing = resources.filter((resource) => describeResource(resource) !== null)
  const described = scopes.map(describeScope).filter((text) => !text.startsWith('Reserved'))
  assert.ok(existing.length > 0)
  assert.equal(scopes.length, resources.length * 3)
  assert.equal(new Set(described).size, existing.length * 3)
  assert.equal(described.length, existing.length * 3)
  assert.equal(describeScope('leads.delete'), 'Delete leads')
})

test('the required scope follows from path and method', () => {
  assert.equal(baselineScope('GET', '/api/health/audit'), 'admin.read')
  assert.equal(baselineScope('PATCH', '/api/enablement/rooms/:room_id'), 'rooms.write')
  assert.equal(baselineScope('DELETE', '/api/teams/:team_id'), 'teams.delete')
  assert.equal(baselineScope('GET', '/api/auth/me'), 'users.read')
  assert.equal(baselineScope('POST', '/api/auth/logout'), undefined)
  assert.equal(baselineScope('GET', '/api/leadsheets'), undefined)
})

test('a login is fresh for fifteen minutes', () => {
  const now = new Date('2026-03-01T09:30:00Z')
  const isFresh = (authenticatedAt?: Date | null) => {
    try {
      assertFreshLogin({ authenticatedAt }, now)
      return true
    } catch (error) {
      assert.equal((error as { code: string }).code, 'reauthentication_required')
      return false
    }
  }

  assert.ok(isFresh(now) && isFresh(new Date('2026-03-01T09:15:00Z')))
  assert.ok(!isFresh(new Date('2026-03-01T09:14:59Z')))
  assert.ok(!isFresh(null) && !isFresh(undefined))
})
