import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baselineScope, meaningOf, reaches, resources, roleScopes, scopes, scopesOfRole } from './index.ts'

test('every role has the rights it is known for', () => {
  const totals = Object.values(roleScopes).map((rights) => rights.size)
  const member = [...roleScopes.member]

  assert.deepEqual(totals, [114, 109, 81, 37])
  assert.equal(member.filter(([scope]) => scope.endsWith('.read')).length, 37)
  assert.equal(member.filter(([scope]) => scope.endsWith('.write')).length, 28)
  assert.equal(member.filter(([, reach]) => reach === 'own').length, 16)
  assert.ok(member.every(([scope, reach]) => reach === 'all' || scope.endsWith('.delete')))
})

test('only admins reach the administration, and a viewer changes nothing', () => {
  assert.ok(scopesOfRole('admin').has('admin.write'))
  assert.ok((['manager', 'member', 'viewer'] as const).every((role) => !scopesOfRole(role).has('admin.read')))
  assert.ok([...scopesOfRole('viewer')].every((scope) => scope.endsWith('.read')))
  assert.ok(!scopesOfRole('manager').has('users.write'))
})

test('a member deletes what is theirs: owned by them, or made by them and owned by nobody', () => {
  const [me, colleague] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002']
  const may = (
    role: 'manager' | 'member' | 'viewer',
    record: { owner_id?: string | null; created_by?: string | null },
  ) => reaches({ role, userId: me }, 'leads.delete', record)

  assert.ok(may('member', { owner_id: me, created_by: colleague }))
  assert.ok(may('member', { owner_id: null, created_by: me }))
  assert.ok(!may('member', { owner_id: colleague, created_by: me }))
  assert.ok(!may('member', { owner_id: null, created_by: null }))
  assert.ok(may('manager', { owner_id: colleague, created_by: colleague }))
  assert.ok(!may('viewer', { owner_id: me, created_by: me }))
  assert.ok(!reaches({ role: 'member', userId: me }, 'accounts.delete', { owner_id: me }))
})

test('every scope says what it grants in words of its own', () => {
  assert.equal(resources.length, 38)
  assert.equal(new Set(scopes.map(meaningOf)).size, 114)
  assert.equal(meaningOf('leads.delete'), 'Delete leads')
})

test('path and method say which scope a route needs', () => {
  assert.equal(baselineScope('GET', '/api/health/audit'), 'admin.read')
  assert.equal(baselineScope('PATCH', '/api/enablement/rooms/:room_id'), 'rooms.write')
  assert.equal(baselineScope('DELETE', '/api/teams/:team_id'), 'teams.delete')
  assert.equal(baselineScope('GET', '/api/auth/me'), 'users.read')
  assert.equal(baselineScope('POST', '/api/auth/logout'), undefined)
  assert.equal(baselineScope('GET', '/api/leadsheets'), undefined)
})
