import type { SignedIn } from '#platform/access'
import { conflict, forbidden, invalid, versionMismatch } from '#platform/errors'
import type { UserChanges } from './users.schemas.ts'

type Target = { id: string; role: string; status: string; version: number }

/** A machine must not make itself an admin, nor lay hands on one. */
export function assertMayManage(actor: SignedIn, ...roles: (string | undefined)[]): void {
  if (actor.type === 'api_key' && roles.includes('admin'))
    throw forbidden('session_required', 'An API key cannot create or change an admin. Sign in to do this.')
}

/** Credentials stay out of reach of whoever acts as somebody else. */
export function assertNotImpersonating({ type }: SignedIn): void {
  if (type === 'impersonation')
    throw forbidden('impersonation_not_allowed', 'This cannot be done while acting as somebody else.')
}

export function assertVersion({ version }: { version: number }, expectedVersion?: number): void {
  if (expectedVersion !== undefined && expectedVersion !== version) throw versionMismatch()
}

/** Nobody takes their own rights away by mistake; another admin can. */
export function assertNotSelf(actor: SignedIn, user: Target, { role, status }: UserChanges): void {
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

export function assertTransition(from: string, to: string | undefined): void {
  const allowed = transitions[from] ?? []
  if (from === 'erased') throw conflict('conflict', 'This user was erased. Nothing about them can be changed any more.')
  if (to === undefined || to === from || allowed.includes(to)) return
  throw conflict('invalid_transition', `A user who is ${from} cannot be made ${to}.`, { from, to, allowed })
}

/** `activeAdmins` are locked, so the answer stays true until the change is committed. */
export function assertNotLastAdmin(user: Target, activeAdmins: string[], { role, status }: UserChanges): void {
  const losesAdmin = (role !== undefined && role !== 'admin') || status === 'deactivated'
  if (losesAdmin && activeAdmins.length === 1 && activeAdmins[0] === user.id)
    throw conflict('last_admin', 'This is the last active admin. Make somebody else an admin first.')
}

export const longestLine = 50

/** `above` is the future manager and everyone above, as far up as was looked. */
export function assertNoCycle(userId: string, above: string[]): void {
  if (above.includes(userId))
    throw invalid(
      'body',
      '/manager_id',
      'cycle',
      'This person reports to the user already, directly or through others.',
    )
  if (above.length >= longestLine)
    throw invalid('body', '/manager_id', 'depth', `A line of reporting has at most ${longestLine} people.`)
}

/** The same mailbox in other letters is the same address. */
export const isOtherAddress = (one: string, other: string): boolean => one.toLowerCase() !== other.toLowerCase()

export function assertHandover(userId: string, { status, reassign_to_user_id: to }: UserChanges): void {
  if (to === undefined) return
  if (status !== 'deactivated')
    throw invalid(
      'body',
      '/reassign_to_user_id',
      'not_allowed',
      'Records are handed over only with status deactivated.',
    )
  if (to === userId)
    throw invalid('body', '/reassign_to_user_id', 'self', 'Name somebody else to take over what this user owns.')
}
