import type { UserActor } from '#platform/access'
import { conflict, invalid, invalidTransition } from '#platform/errors'
import type { UserChanges } from '../../workspace/user-records/users.schemas.ts'

type Target = { id: string; role: string; status: string; version: number }

export function assertNotOwnRoleOrStatus(actor: UserActor, user: Target, { role, status }: UserChanges): void {
  if (actor.userId !== user.id) return
  const changesRole = role !== undefined && role !== user.role
  const changesStatus = status !== undefined && status !== user.status
  if (changesRole || changesStatus)
    throw conflict('self_change', 'You cannot change your own role or status. Ask another admin.')
}

const transitions: Record<string, string[]> = {
  invited: ['deactivated'],
  active: ['deactivated'],
  deactivated: ['active'],
}

export function assertUserTransition(from: string, to: string | undefined): void {
  const allowed = transitions[from] ?? []
  if (from === 'erased') throw conflict('conflict', 'This user was erased and cannot be changed.')
  if (to === undefined || to === from || allowed.includes(to)) return
  throw invalidTransition(`The status of this user cannot change from ${from} to ${to}.`, {
    from,
    to,
    allowed,
  })
}

/** `activeAdmins` must be locked, so that the result holds until the transaction ends. */
export function assertNotLastAdmin(user: Target, activeAdmins: string[], { role, status }: UserChanges): void {
  const losesAdmin = (role !== undefined && role !== 'admin') || status === 'deactivated'
  if (losesAdmin && activeAdmins.length === 1 && activeAdmins[0] === user.id)
    throw conflict('last_admin', 'This is the last active admin. Make another user an admin first.')
}

export const maxReportingDepth = 50

/** `managers` are the new manager and the managers above, nearest first, at most `maxReportingDepth`. */
export function assertNoReportingCycle(userId: string, managers: string[]): void {
  if (managers.includes(userId))
    throw invalid(
      'body',
      '/manager_id',
      'cycle',
      '`manager_id` must not be the user or report to the user, directly or indirectly.',
    )
  if (managers.length >= maxReportingDepth)
    throw invalid(
      'body',
      '/manager_id',
      'depth',
      `A reporting line must not have more than ${maxReportingDepth} levels.`,
    )
}

export const isDifferentEmail = (a: string, b: string): boolean => a.toLowerCase() !== b.toLowerCase()

export function assertReassignment(userId: string, { status, reassign_to_user_id: to }: UserChanges): void {
  if (to === undefined) return
  if (status !== 'deactivated')
    throw invalid(
      'body',
      '/reassign_to_user_id',
      'not_allowed',
      '`reassign_to_user_id` is only allowed together with `status: deactivated`.',
    )
  if (to === userId)
    throw invalid('body', '/reassign_to_user_id', 'self', '`reassign_to_user_id` must be another user.')
}
