import type { Role } from '#platform/access'
import { insertApiKey } from './credentials.ts'
import type { CallerRights } from './expected.ts'
import type { CallerClient, TestWorkspace } from './matrix-tenant.ts'
import { allScopes, expandScope, scopesOfRole, wildcards } from './permissions.ts'

export type Caller = CallerRights &
  CallerClient & {
    name: string
    /** A key with one scope or the wildcard of one resource. */
    isSingleScope?: boolean
    /** Returns an equivalent caller, for a call that may end the session. */
    another(): Promise<CallerClient>
  }

const callersByWorkspace = new WeakMap<TestWorkspace, Promise<Caller[]>>()

/** Returns the callers of the workspace, which are created once. */
export function callersOf(workspace: TestWorkspace): Promise<Caller[]> {
  const callers = callersByWorkspace.get(workspace) ?? createCallers(workspace)
  callersByWorkspace.set(workspace, callers)
  return callers
}

/** Creates a key per scope and wildcard, a read-only key, and for every role a user and a key. */
async function createCallers(workspace: TestWorkspace): Promise<Caller[]> {
  const callers: Caller[] = []
  for (const scope of [...allScopes, ...wildcards])
    callers.push({
      ...(await createKeyCaller(workspace, { scopes: [scope], name: `a key with ${scope}` })),
      isSingleScope: true,
    })
  callers.push(await createKeyCaller(workspace, { preset: 'read_only', name: 'a read-only key with every scope' }))
  for (const role of ['admin', 'manager', 'member', 'viewer'] as const) {
    const name = role === 'admin' ? 'an admin' : `a ${role}`
    callers.push(await createUserCaller(workspace, { role, name }))
    callers.push(await createKeyCaller(workspace, { role, name: `a key with every scope, created by ${name}` }))
  }
  return [...callers, ...(await createRestrictedUsers(workspace))]
}

type KeyOptions = { name: string; scopes?: string[]; preset?: 'read_only'; role?: Role }

async function createKeyCaller(
  workspace: TestWorkspace,
  { name, scopes = wildcards, preset, role = 'admin' }: KeyOptions,
): Promise<Caller> {
  const { userId } = workspace[role]
  const key = await insertApiKey(workspace, { scopes, preset, createdBy: userId })
  const callerClient = { client: workspace.bearer(`ApiKey ${key}`), userId }
  // A key never has more rights than its creator.
  const effectiveScopes = scopes.flatMap(expandScope).filter((scope) => scopesOfRole(role).has(scope))
  const rights = { role, isKey: true, scopes: new Set(effectiveScopes), isReadOnly: preset === 'read_only' }
  return { ...rights, ...callerClient, name, another: async () => callerClient }
}

type UserOptions = Partial<CallerRights> & {
  name: string
  role: Role
  /** Changes the user or session after sign-in. */
  change?: (workspace: TestWorkspace, ids: { userId: string; sessionId: string }) => Promise<unknown>
}

async function createUserCaller(
  workspace: TestWorkspace,
  { name, role, change, ...restrictions }: UserOptions,
): Promise<Caller> {
  async function another(): Promise<CallerClient> {
    const client = await workspace.person(role)
    await change?.(workspace, client)
    return { client, userId: client.userId }
  }
  return { role, isKey: false, scopes: scopesOfRole(role), ...restrictions, ...(await another()), name, another }
}

async function createRestrictedUsers(workspace: TestWorkspace): Promise<Caller[]> {
  return [
    await createUserCaller(workspace, {
      name: 'an admin who signed in twenty minutes ago',
      role: 'admin',
      isStale: true,
      change: ({ sql, id }, { sessionId }) =>
        sql(
          `update identity.sessions set authenticated_at = now() - interval '20 minutes' where tenant_id = $1 and id = $2`,
          [id, sessionId],
        ),
    }),
    await createUserCaller(workspace, {
      name: 'an admin who must change the password',
      role: 'admin',
      mustChangePassword: true,
      change: ({ sql, id }, { userId }) =>
        sql('update identity.users set must_change_password = true where tenant_id = $1 and id = $2', [id, userId]),
    }),
    await createUserCaller(workspace, {
      name: 'an admin impersonating a manager',
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
