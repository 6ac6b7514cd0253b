import {
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Updateable,
} from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { Type } from 'typebox'
import {
  type Database,
  decodeCursor,
  directionOf,
  type ListDirection,
  type TenantTx,
  toLikePatterns,
  toPage,
  totalOf,
} from '#platform/db'
import { notFound } from '#platform/errors'
import { Id } from '#platform/schema'
import { listFirstMembers } from './team-members.queries.ts'
import type { TeamFilter } from './teams.schemas.ts'

export const teamColumns = [
  'id',
  'name',
  'description',
  'color',
  'parent_team_id',
  'created_at',
  'updated_at',
  'version',
] as const
const listedColumns = [...teamColumns, 'name_key'] as const
const SortKey = Type.Tuple([Type.String(), Id])
const shownMembers = 200

type TeamQuery = SelectQueryBuilder<
  Database,
  'identity.teams',
  Pick<Selectable<Database['identity.teams']>, (typeof listedColumns)[number]>
>

export async function listTeams(tx: TenantTx, { search, user_id, parent_team_id, sort, ...page }: TeamFilter) {
  const order = directionOf(sort, 'name')
  let teams = tx.selectFrom('identity.teams')
  if (search) teams = teams.where(sql<boolean>`search_text like all (${toLikePatterns(search)}::text[])`)
  if (user_id) teams = teams.where('id', '=', teamIdsOfUser(user_id))
  if (parent_team_id) teams = teams.where('parent_team_id', '=', parent_team_id)

  let teamPage = teams
    .select(listedColumns)
    .orderBy('name_key', order.direction)
    .orderBy('id', order.direction)
    .limit(page.limit + 1)
  if (page.cursor) teamPage = teamPage.where(isAfter(page.cursor, order))
  else teamPage = teamPage.offset(page.offset)

  const rows = await selectTeams(tx, teamPage)
    .orderBy('t.name_key', order.direction)
    .orderBy('t.id', order.direction)
    .execute()
  const result = toPage(rows, await totalOf(tx, teams, page), page, ({ name_key, id }) => [name_key, id], order)
  return { ...result, items: result.items.map(toTeam) }
}

const teamIdsOfUser = (userId: string) =>
  sql<string>`any(array(select team_id from identity.team_members where user_id = ${userId}))`

const isAfter = (cursor: string, order: ListDirection) => (eb: ExpressionBuilder<Database, 'identity.teams'>) =>
  eb(eb.refTuple('name_key', 'id'), order.after, eb.tuple(...decodeCursor(cursor, SortKey, order)))

export async function getTeam(tx: TenantTx, id: string) {
  const [team] = await listTeamsById(tx, [id])
  if (!team) throw notFound('team')
  return team
}

export async function listTeamsById(tx: TenantTx, ids: readonly string[]) {
  const teams = tx.selectFrom('identity.teams').select(listedColumns).where('id', '=', sql<string>`any(${ids}::uuid[])`)
  const rows = await selectTeams(tx, teams).execute()
  const members = await listFirstMembers(tx, ids, shownMembers)
  return rows.map((row) => ({ ...toTeam(row), members: members.get(row.id) ?? [] }))
}

const selectTeams = (tx: TenantTx, teams: TeamQuery) =>
  tx
    .selectFrom(teams.as('t'))
    .leftJoin('identity.teams as parent', 'parent.id', 't.parent_team_id')
    .select(listedColumns.map((column) => `t.${column}` as const))
    .select('parent.name as parent_name')
    .select((eb) => [
      eb
        .selectFrom('identity.team_members as m')
        .select(({ fn }) => fn.countAll<number>().as('members'))
        .whereRef('m.team_id', '=', 't.id')
        .as('member_count'),
      jsonArrayFrom(
        eb
          .selectFrom('identity.team_members as m')
          .innerJoin('identity.users as u', 'u.id', 'm.user_id')
          .select(['u.id', 'u.name'])
          .whereRef('m.team_id', '=', 't.id')
          .where('m.role', '=', sql.lit('lead'))
          .orderBy('u.name_key')
          .orderBy('u.id'),
      ).as('leads'),
    ])

type TeamRow = { parent_team_id: string | null; parent_name: string | null; member_count: number | null }

function toTeam<Row extends TeamRow>({ parent_name, member_count, ...team }: Row) {
  const parent = team.parent_team_id === null ? null : { id: team.parent_team_id, name: parent_name ?? '' }
  return { ...team, parent, member_count: member_count ?? 0 }
}

export async function teamExists(tx: TenantTx, id: string): Promise<boolean> {
  const row = await tx.selectFrom('identity.teams').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** Blocks changes to the team and its members until the transaction ends. */
export function lockTeam(tx: TenantTx, id: string) {
  return tx
    .selectFrom('identity.teams')
    .select(teamColumns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('team'))
}

export async function findTeamIdByName(tx: TenantTx, name: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('identity.teams')
    .select('id')
    .where('name_key', '=', sql<string>`lower(${name})`)
    .executeTakeFirst()
  return row?.id
}

export async function countTeams(tx: TenantTx): Promise<number> {
  const { teams } = await tx
    .selectFrom('identity.teams')
    .select(({ fn }) => fn.countAll<number>().as('teams'))
    .executeTakeFirstOrThrow()
  return teams
}

export function insertTeam(tx: TenantTx, team: Insertable<Database['identity.teams']>) {
  return tx.insertInto('identity.teams').values(team).returning(teamColumns).executeTakeFirstOrThrow()
}

export function updateTeamRow(tx: TenantTx, id: string, changes: Updateable<Database['identity.teams']>) {
  return tx
    .updateTable('identity.teams')
    .set(changes)
    .where('id', '=', id)
    .returning(teamColumns)
    .executeTakeFirstOrThrow()
}

export async function deleteTeamRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('identity.teams').where('id', '=', id).execute()
}
