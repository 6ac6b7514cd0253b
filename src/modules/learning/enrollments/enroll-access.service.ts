import { listLedTeamIds, listLedUserIds } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { roleRequired } from '#platform/errors'
import type { EnrollInput } from './enrollments.schemas.ts'

type Selection = Pick<EnrollInput, 'user_ids' | 'team_ids'>

/** Managers enroll all users, leads the members of their teams. */
export async function assertMayEnroll(
  tx: TenantTx,
  { role, userId }: UserActor,
  { user_ids = [], team_ids = [] }: Selection,
): Promise<void> {
  if (isManagerOrAdmin(role) || (!user_ids.length && !team_ids.length)) return
  const [ledTeams, ledUsers] = await Promise.all([listLedTeamIds(tx, userId), listLedUserIds(tx, userId)])
  const isLed =
    team_ids.every((id) => ledTeams.includes(id)) && user_ids.every((id) => id === userId || ledUsers.includes(id))
  if (!isLed) throw roleRequired('Only managers, admins and leads of a team can enroll other users.')
}
