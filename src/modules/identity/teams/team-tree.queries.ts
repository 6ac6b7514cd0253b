import { sql } from 'kysely'
import { holdTurn, type TenantTx } from '#platform/db'
import type { Dependent } from './teams.rules.ts'

/** Two moves that are harmless alone could close a circle together, so changes of the tree wait for each other. Ahead of any team. */
export async function lockTeamTree(tx: TenantTx): Promise<void> {
  await holdTurn(tx, 'team_tree')
}

/** The team and everything above it, the nearest first; none if there is no such team. */
export async function teamsAbove(tx: TenantTx, teamId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive line (id, parent_team_id, step) as (
      select id, parent_team_id, 1 from identity.teams where id = ${teamId}
      union all
      select parent.id, parent.parent_team_id, line.step + 1
      from line join identity.teams parent on parent.id = line.parent_team_id
      where line.step < 10
    )
    select id from line order by step
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** How many levels the team takes with everything below it: one if there is nothing. */
export async function levelsFrom(tx: TenantTx, teamId: string): Promise<number> {
  const { rows } = await sql<{ levels: number }>`
    with recursive tree (id, level) as (
      select id, 1 from identity.teams where id = ${teamId}
      union all
      select child.id, tree.level + 1
      from tree join identity.teams child on child.parent_team_id = tree.id
      where tree.level < 10
    )
    select max(level) as levels from tree
  `.execute(tx)
  return rows[0]?.levels ?? 1
}

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
