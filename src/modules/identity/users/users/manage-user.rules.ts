import { assertFreshLogin, isManagerOrAdmin, type Role, scopesOfRole, type UserActor } from '#platform/access'
import { forbidden } from '#platform/errors'
import type { UserChanges } from '../../workspace/user-records/users.schemas.ts'
import { isDifferentEmail } from './update-user.rules.ts'

export type ManagementAction =
  | 'update_details'
  | 'invite'
  | 'invite_privileged'
  | 'create_with_password'
  | 'change_email'
  | 'change_role'
  | 'deactivate'
  | 'reactivate'

type ActionPolicy = {
  apiKey: 'allowed' | 'covered' | 'forbidden'
  /** Requires a fresh login and is forbidden while impersonating: the action gives access to an account. */
  isSensitive: boolean
}

const policies: Record<ManagementAction, ActionPolicy> = {
  update_details: { apiKey: 'allowed', isSensitive: false },
  invite: { apiKey: 'allowed', isSensitive: false },
  invite_privileged: { apiKey: 'covered', isSensitive: true },
  create_with_password: { apiKey: 'forbidden', isSensitive: true },
  change_email: { apiKey: 'forbidden', isSensitive: true },
  change_role: { apiKey: 'forbidden', isSensitive: true },
  deactivate: { apiKey: 'covered', isSensitive: false },
  reactivate: { apiKey: 'covered', isSensitive: true },
}

export function assertCanManageUser(actor: UserActor, action: ManagementAction, role: Role, now: Date): void {
  const { apiKey, isSensitive } = policies[action]
  if (actor.type === 'api_key') {
    assertKeyCanManage(actor, apiKey, role)
  } else if (isSensitive) {
    assertNotImpersonating(actor)
    assertFreshLogin(actor, now)
  }
}

/** A key must not become a person with more rights than it has: people are not bound by its scopes and IP allowlist. */
function assertKeyCanManage({ scopes }: UserActor, policy: ActionPolicy['apiKey'], role: Role): void {
  if (role === 'admin') throw sessionRequired('An API key cannot create or change an admin.')
  if (policy === 'forbidden')
    throw sessionRequired('An API key can invite users but cannot set their password, email address or role.')
  if (policy === 'covered' && !scopesOfRole(role).isSubsetOf(scopes))
    throw sessionRequired(`An API key without all scopes of the role ${role} cannot do this.`)
}

const sessionRequired = (message: string) => forbidden('session_required', `${message} Sign in to do this.`)

export function assertNotImpersonating({ type }: UserActor): void {
  if (type === 'impersonation')
    throw forbidden('impersonation_not_allowed', 'This action is not allowed while impersonating a user.')
}

export function creationActionOf(role: Role, hasPassword: boolean): ManagementAction {
  if (hasPassword) return 'create_with_password'
  return isManagerOrAdmin(role) ? 'invite_privileged' : 'invite'
}

type ManagedUser = { email: string; role: string; status: string }

export function updateActionsOf(user: ManagedUser, { email, role, status }: UserChanges): ManagementAction[] {
  const actions: ManagementAction[] = ['update_details']
  if (email !== undefined && isDifferentEmail(user.email, email)) actions.push('change_email')
  if (role !== undefined && role !== user.role) actions.push('change_role')
  if (status !== undefined && status !== user.status)
    actions.push(status === 'deactivated' ? 'deactivate' : 'reactivate')
  return actions
}

type Names = ReadonlyMap<string, string>
type NamedRecord = { id: string; name: string }

/** Returns null if the id has no name, which means that the record is deleted. */
export function toReferenceOrNull(names: Names, id: string | null): NamedRecord | null {
  const name = id === null ? undefined : names.get(id)
  return id === null || name === undefined ? null : { id, name }
}

/** Keeps the id of an unknown user, with an empty name. */
export const toUserReference = (names: Names, id: string | null): NamedRecord | null =>
  id === null ? null : { id, name: names.get(id) ?? '' }
