import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { isLeadOf } from '../../workspace/teams/team-leads.queries.ts'
import { findUserCards } from './user-names.queries.ts'

/** Private practice is for the user alone, so an admin who impersonates the user does not see it. */
export const mayReadPrivate = ({ type }: UserActor): boolean => type !== 'impersonation'

/** Managers, admins and leads of a team coach a user, but not themselves. */
export async function canCoach(tx: TenantTx, { userId, role }: UserActor, repId: string): Promise<boolean> {
  return userId !== repId && (isManagerOrAdmin(role) || (await isLeadOf(tx, userId, repId)))
}

export async function canUserCoach(tx: TenantTx, userId: string, repId: string): Promise<boolean> {
  const card = (await findUserCards(tx, [userId])).get(userId)
  if (card?.status !== 'active' || userId === repId) return false
  return isManagerOrAdmin(card.role) || (await isLeadOf(tx, userId, repId))
}
