import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function listTeamIdsOfUser(tx: TenantTx, userId: string): Promise<string[]> {
  const teams = await tx.selectFrom('identity.team_members').select('team_id').where('user_id', '=', userId).execute()
  return teams.map(({ team_id }) => team_id)
}

export async function findTeamNames(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const teams = await tx
    .selectFrom('identity.teams')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(teams.map(({ id, name }) => [id, name]))
}

/** `null` lists the teams of all users. */
export async function listTeamsOfUsers(tx: TenantTx, userIds: readonly string[] | null) {
  if (userIds !== null && !userIds.length) return []
  const members = tx
    .selectFrom('identity.team_members as member')
    .innerJoin('identity.teams as team', 'team.id', 'member.team_id')
    .select(['member.user_id', 'team.id', 'team.name'])
  return await (userIds === null
    ? members
    : members.where('member.user_id', '=', sql<string>`any(${userIds}::uuid[])`)
  ).execute()
}

export async function findActiveTeamLead(tx: TenantTx, userId: string): Promise<string | undefined> {
  const lead = await tx
    .selectFrom('identity.team_members as member')
    .innerJoin('identity.team_members as lead', 'lead.team_id', 'member.team_id')
    .innerJoin('identity.users as u', 'u.id', 'lead.user_id')
    .select('lead.user_id')
    .where('member.user_id', '=', userId)
    .where('lead.role', '=', 'lead')
    .where('lead.user_id', '!=', userId)
    .where('u.status', '=', 'active')
    .orderBy('member.created_at')
    .orderBy('lead.user_id')
    .limit(1)
    .executeTakeFirst()
  return lead?.user_id
}
