import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Scope, scopes, scopesOfRole, type UserActor } from '#platform/access'
import { assertCanManageUser, creationActionOf, type ManagementAction, updateActionsOf } from './manage-user.rules.ts'

const now = new Date('2026-03-01T09:30:00Z')
const roles = ['viewer', 'member', 'manager', 'admin'] as const
const admin = { type: 'user', role: 'admin', scopes: new Set(scopes), authenticatedAt: now } as unknown as UserActor
const apiKey = (...granted: Iterable<Scope>[]): UserActor => ({
  ...admin,
  type: 'api_key',
  scopes: new Set([...granted].flatMap((some) => [...some])),
  authenticatedAt: null,
})

const actors: Record<string, UserActor> = {
  'an admin with a fresh login': admin,
  'an admin with an old login': { ...admin, authenticatedAt: new Date('2026-03-01T09:14:59Z') },
  'an impersonating admin': { ...admin, type: 'impersonation' },
  'an API key with users.write': apiKey(['users.write']),
  'an API key with the scopes of a member': apiKey(['users.write'], scopesOfRole('member')),
  'an API key with the scopes of a manager': apiKey(['users.write'], scopesOfRole('manager')),
  'an API key with every scope': apiKey(scopes),
}

/** Responses for the roles viewer, member, manager and admin: `+` allowed, `f` fresh login required, `i` not while impersonating, `s` session required. */
const expected: Record<string, Record<ManagementAction, string>> = {
  'an admin with a fresh login': {
    update_details: '++++',
    invite: '++++',
    invite_privileged: '++++',
    create_with_password: '++++',
    change_email: '++++',
    change_role: '++++',
    deactivate: '++++',
    reactivate: '++++',
  },
  'an admin with an old login': {
    update_details: '++++',
    invite: '++++',
    invite_privileged: 'ffff',
    create_with_password: 'ffff',
    change_email: 'ffff',
    change_role: 'ffff',
    deactivate: '++++',
    reactivate: 'ffff',
  },
  'an impersonating admin': {
    update_details: '++++',
    invite: '++++',
    invite_privileged: 'iiii',
    create_with_password: 'iiii',
    change_email: 'iiii',
    change_role: 'iiii',
    deactivate: '++++',
    reactivate: 'iiii',
  },
  'an API key with users.write': {
    update_details: '+++s',
    invite: '+++s',
    invite_privileged: 'ssss',
    create_with_password: 'ssss',
    change_email: 'ssss',
    change_role: 'ssss',
    deactivate: 'ssss',
    reactivate: 'ssss',
  },
  'an API key with the scopes of a member': {
    update_details: '+++s',
    invite: '+++s',
    invite_privileged: '++ss',
    create_with_password: 'ssss',
    change_email: 'ssss',
    change_role: 'ssss',
    deactivate: '++ss',
    reactivate: '++ss',
  },
  'an API key with the scopes of a manager': {
    update_details: '+++s',
    invite: '+++s',
    invite_privileged: '+++s',
    create_with_password: 'ssss',
    change_email: 'ssss',
    change_role: 'ssss',
    deactivate: '+++s',
    reactivate: '+++s',
  },
  'an API key with every scope': {
    update_details: '+++s',
    invite: '+++s',
    invite_privileged: '+++s',
    create_with_password: 'ssss',
    change_email: 'ssss',
    change_role: 'ssss',
    deactivate: '+++s',
    reactivate: '+++s',
  },
}

const marks: Record<string, string> = {
  reauthentication_required: 'f',
  impersonation_not_allowed: 'i',
  session_required: 's',
}

function responseTo(actor: UserActor, action: ManagementAction, role: (typeof roles)[number]): string {
  try {
    assertCanManageUser(actor, action, role, now)
    return '+'
  } catch (error) {
    return marks[(error as { code: string }).code] ?? String(error)
  }
}

for (const [name, actor] of Object.entries(actors)) {
  test(`${name} can manage users only as far as the table says`, () => {
    for (const [action, responses] of Object.entries(expected[name]!))
      assert.equal(roles.map((role) => responseTo(actor, action as ManagementAction, role)).join(''), responses, action)
  })
}

test('a new user with a password or the role manager or admin is more than an invitation', () => {
  assert.deepEqual(
    roles.map((role) => creationActionOf(role, false)),
    ['invite', 'invite', 'invite_privileged', 'invite_privileged'],
  )
  assert.ok(roles.every((role) => creationActionOf(role, true) === 'create_with_password'))
})

test('only values that differ from the current ones change the access of a user', () => {
  const ada = { email: 'ada@engines.example', role: 'member', status: 'active' }

  assert.deepEqual(updateActionsOf(ada, { ...ada, email: 'Ada@Engines.example', name: 'Ada' } as never), [
    'update_details',
  ])
  assert.deepEqual(updateActionsOf(ada, { email: 'ada@attacker.example', role: 'manager', status: 'deactivated' }), [
    'update_details',
    'change_email',
    'change_role',
    'deactivate',
  ])
  assert.deepEqual(updateActionsOf({ ...ada, status: 'deactivated' }, { status: 'active' }), [
    'update_details',
    'reactivate',
  ])
})
