import type { TenantTx, Tree } from '#platform/db'
import type { Dependent } from './teams.rules.ts'

export const teamTree: Tree = { table: 'identity.teams', parent: 'parent_team_id' }

const dependentsShown = 100

export async function listSubTeams(tx: TenantTx, teamId: string): Promise<Dependent[]> {
  const children = await tx
    .selectFrom('identity.teams')
    .select(['id', 'name'])
    .where('parent_team_id', '=', teamId)
    .orderBy('name_key')
    .limit(dependentsShown)
    .execute()
  return children.map(({ id, name }) => ({ type: 'team', id, name }))
}
