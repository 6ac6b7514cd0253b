import type { TenantTx, Tree } from '#platform/db'
import type { TeamDependent } from './teams.rules.ts'

export const teamTree: Tree = { table: 'identity.teams', parent: 'parent_team_id' }

const maxDependents = 100

export async function listSubTeams(tx: TenantTx, teamId: string): Promise<TeamDependent[]> {
  const children = await tx
    .selectFrom('identity.teams')
    .select(['id', 'name'])
    .where('parent_team_id', '=', teamId)
    .orderBy('name_key')
    .limit(maxDependents)
    .execute()
  return children.map(({ id, name }) => ({ type: 'team', id, name }))
}
