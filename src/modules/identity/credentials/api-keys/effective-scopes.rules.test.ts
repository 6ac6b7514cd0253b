import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roles, scopesOfRole } from '#platform/access'
import { effectiveScopes } from './effective-scopes.rules.ts'

test('the effective scopes never exceed the role of the creator', () => {
  const scopes = effectiveScopes(['crm.read', 'leads.write', 'users.write'], 'member', null)

  assert.equal(scopes.size, 38)
  assert.ok(scopes.has('leads.write') && scopes.has('leads.read'))
  assert.ok(!scopes.has('users.write') && !scopes.has('admin.read'))
})

test('all wildcards together equal the scopes of the role', () => {
  for (const role of roles)
    assert.deepEqual(effectiveScopes(['crm.read', 'crm.write', 'crm.delete'], role, null), scopesOfRole(role))
})

test('writing does not imply reading', () => {
  const scopes = effectiveScopes(['crm.write'], 'admin', null)

  assert.ok(scopes.has('leads.write'))
  assert.ok(!scopes.has('leads.read') && !scopes.has('leads.delete'))
})

test('a read-only key has only read scopes', () => {
  const scopes = effectiveScopes(['crm.write', 'crm.delete', 'leads.read'], 'admin', 'read_only')

  assert.deepEqual([...scopes], ['leads.read'])
})
