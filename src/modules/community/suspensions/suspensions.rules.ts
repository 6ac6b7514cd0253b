import type { UserCard } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { type AppError, conflict, forbidden, invalid, roleRequired } from '#platform/errors'

/** Managers suspend members and viewers, admins every other user. */
export function assertMaySuspend(actor: UserActor, user: Pick<UserCard, 'id' | 'role'>): void {
  if (user.id === actor.userId) throw conflict('conflict', 'You cannot suspend yourself or end your own suspension.')
  if (actor.role !== 'admin' && isManagerOrAdmin(user.role))
    throw roleRequired('Only admins can suspend managers and admins.')
}

export function assertInFuture(endsAt: Date | null, now: Date): void {
  if (endsAt && endsAt <= now) throw invalid('body', '/ends_at', 'not_in_future', '`ends_at` must be in the future.')
}

type Suspension = { reason: string; ends_at: Date | null }

export const isActive = ({ ends_at }: Pick<Suspension, 'ends_at'>, now: Date): boolean =>
  ends_at === null || ends_at > now

export function suspendedError({ reason, ends_at }: Suspension): AppError {
  const end = ends_at ? `until ${ends_at.toISOString()}` : 'until a moderator ends it'
  const extra = { suspension_reason: reason, suspension_ends_at: ends_at }
  return forbidden('community_suspended', `You are suspended and cannot write in community rooms ${end}.`, extra)
}
