import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Whether one of the teams of the user has this lead. A lead does not lead themselves. */
export async function isLeadOf(tx: TenantTx, leadId: string, userId: string): Promise<boolean> {
  if (leadId === userId) return false
  const membership = await selectLedMembers(tx, leadId)
    .select('member.id')
    .where('member.user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return membership !== undefined
}

/** Lists the members of the teams of a lead, including deactivated ones, without the lead. */
export async function listLedUserIds(tx: TenantTx, leadId: string): Promise<string[]> {
  const members = await selectLedMembers(tx, leadId)
    .select('member.user_id')
    .distinct()
    .where('member.user_id', '!=', leadId)
    .orderBy('member.user_id')
    .execute()
  return members.map(({ user_id }) => user_id)
}

export async function listLedTeamIds(tx: TenantTx, leadId: string): Promise<string[]> {
  const teams = await tx
    .selectFrom('identity.team_members')
    .select('team_id')
    .where('user_id', '=', leadId)
    .where('role', '=', 'lead')
    .execute()
  return teams.map(({ team_id }) => team_id)
}

const selectLedMembers = (tx: TenantTx, leadId: string) =>
  tx.selectFrom('identity.team_members as member').where('member.team_id', '=', ledTeamIds(leadId))

const ledTeamIds = (leadId: string) =>
  sql<string>`any(array(select team_id from identity.team_members where user_id = ${leadId} and role = 'lead'))`
