import type { Role } from '#platform/access'
import { giveKey } from './credentials.ts'
import type { Standing } from './expected.ts'
import type { Somebody, Workspace } from './place.ts'
import { allScopes, expanded, scopesOf, wildcards } from './rights.ts'

export type Caller = Standing &
  Somebody & {
    name: string
    /** The same again, for a call that may be its last. */
    another(): Promise<Somebody>
  }

/** Everybody who may try: a key for each scope and each wildcard, one that only reads, and people of each role with a key of theirs. */
export async function callersIn(workspace: Workspace): Promise<Caller[]> {
  const callers: Caller[] = []
  for (const scope of [...allScopes, ...wildcards])
    callers.push(await key(workspace, { scopes: [scope], name: `a key with ${scope}` }))
  callers.push(await key(workspace, { preset: 'read_only', name: 'a read-only key with every scope' }))
  for (const role of ['admin', 'manager', 'member', 'viewer'] as const) {
    callers.push(await person(workspace, { role, name: role === 'admin' ? 'an admin' : `a ${role}` }))
    callers.push(await key(workspace, { role, name: `a key with every scope, made by somebody who is ${role}` }))
  }
  return [...callers, ...(await peopleWhoMayLess(workspace))]
}

type Key = { name: string; scopes?: string[]; preset?: 'read_only'; role?: Role }

async function key(workspace: Workspace, { name, scopes = wildcards, preset, role = 'admin' }: Key): Promise<Caller> {
  const { userId } = workspace[role]
  const text = await giveKey(workspace, { scopes, preset, createdBy: userId })
  const somebody = { client: workspace.bearer(`ApiKey ${text}`), userId }
  // Never more than whoever made it may do.
  const held = scopes.flatMap(expanded).filter((scope) => scopesOf(role).has(scope))
  const standing = { role, isKey: true, scopes: new Set(held), isReadOnly: preset === 'read_only' }
  return { ...standing, ...somebody, name, another: async () => somebody }
}

type Person = Partial<Standing> & {
  name: string
  role: Role
  /** What is different about this one. */
  change?: (workspace: Workspace, ids: { userId: string; sessionId: string }) => Promise<unknown>
}

async function person(workspace: Workspace, { name, role, change, ...less }: Person): Promise<Caller> {
  async function another(): Promise<Somebody> {
    const client = await workspace.person(role)
    await change?.(workspace, client)
    return { client, userId: client.userId }
  }
  return { role, isKey: false, scopes: scopesOf(role), ...less, ...(await another()), name, another }
}

async function peopleWhoMayLess(workspace: Workspace): Promise<Caller[]> {
  return [
    await person(workspace, {
      name: 'an admin who signed in twenty minutes ago',
      role: 'admin',
      isStale: true,
      change: ({ sql, id }, { sessionId }) =>
        sql(
          `update identity.sessions set authenticated_at = now() - interval '20 minutes' where tenant_id = $1 and id = $2`,
          [id, sessionId],
        ),
    }),
    await person(workspace, {
      name: 'an admin who must change the password',
      role: 'admin',
      mustChangePassword: true,
      change: ({ sql, id }, { userId }) =>
        sql('update identity.users set must_change_password = true where tenant_id = $1 and id = $2', [id, userId]),
    }),
    await person(workspace, {
      name: 'an admin acting as a manager',
      role: 'manager',
      isImpersonated: true,
      change: ({ sql, id, admin }, { sessionId }) =>
        sql(
          `update identity.sessions set kind = 'impersonation', auth_method = 'impersonation', parent_session_id = $3, actor_user_id = $4
           where tenant_id = $1 and id = $2`,
          [id, sessionId, admin.sessionId, admin.userId],
        ),
    }),
  ]
}
