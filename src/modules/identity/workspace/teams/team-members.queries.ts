import { sql } from 'kysely'
import { Type } from 'typebox'
import { decodeCursor, directionOf, type Page, selectRows, type TenantTx, toPage, totalOf } from '#platform/db'
import { notFound } from '#platform/errors'
import { Id, type SortedPageQuery } from '#platform/schema'
import type { TeamMember, TeamRole } from './teams.schemas.ts'

const memberColumns = ['id', 'team_id', 'user_id', 'role', 'created_at'] as const
const SortKey = Type.Tuple([Type.String(), Type.String(), Id])

/** Orders leads before members ("lead" sorts before "member"), then by name. */
export async function listMemberRows(
  tx: TenantTx,
  teamId: string,
  { sort, ...page }: SortedPageQuery,
): Promise<Page<TeamMember>> {
  const order = directionOf(sort, 'role')
  let rows = selectMembers(tx)
    .where('m.team_id', '=', teamId)
    .orderBy('m.role', order.direction)
    .orderBy('u.name_key', order.direction)
    .orderBy('m.id', order.direction)
    .limit(page.limit + 1)
  if (page.cursor) {
    const after = decodeCursor(page.cursor, SortKey, order)
    rows = rows.where((eb) => eb(eb.refTuple('m.role', 'u.name_key', 'm.id'), order.after, eb.tuple(...after)))
  } else rows = rows.offset(page.offset)

  const members = tx.selectFrom('identity.team_members').where('team_id', '=', teamId)
  const total = await totalOf(tx, members, page)
  const result = toPage(await rows.execute(), total, page, ({ role, name_key, id }) => [role, name_key, id], order)
  return { ...result, items: result.items.map(toMember) }
}

/** Returns the first members of each team, in the order of `listMemberRows`. */
export async function listFirstMembers(
  tx: TenantTx,
  teamIds: readonly string[],
  limit: number,
): Promise<Map<string, TeamMember[]>> {
  const { rows } = await sql<MemberRow & { team_id: string }>`
    select team.id as team_id, member.*
    from unnest(${teamIds}::uuid[]) as team (id)
    cross join lateral (
      select m.id, m.user_id, m.role, m.created_at, u.name, u.name_key, u.email, u.status, u.avatar_url
      from identity.team_members m join identity.users u on u.id = m.user_id
      where m.team_id = team.id order by m.role, u.name_key, m.id limit ${limit}
    ) as member
    order by member.role, member.name_key, member.id
  `.execute(tx)
  const byTeam = Map.groupBy(rows, ({ team_id }) => team_id)
  return new Map([...byTeam].map(([teamId, members]) => [teamId, members.map(toMember)]))
}

export async function getTeamMember(tx: TenantTx, id: string): Promise<TeamMember> {
  const row = await selectMembers(tx)
    .where('m.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('team member'))
  return toMember(row)
}

const selectMembers = (tx: TenantTx) =>
  tx
    .selectFrom('identity.team_members as m')
    .innerJoin('identity.users as u', 'u.id', 'm.user_id')
    .select([
      'm.id',
      'm.user_id',
      'm.role',
      'm.created_at',
      'u.name',
      'u.name_key',
      'u.email',
      'u.status',
      'u.avatar_url',
    ])

type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>['executeTakeFirstOrThrow']>>

const toMember = ({ id, user_id, role, created_at, name, email, status, avatar_url }: MemberRow): TeamMember => ({
  id,
  user_id,
  role: role as TeamRole,
  user: { id: user_id, name, email, status, avatar_url },
  created_at,
})

/** Accepts the id of the membership or of the user. */
export function lockMember(tx: TenantTx, teamId: string, memberOrUserId: string) {
  return tx
    .selectFrom('identity.team_members')
    .select(memberColumns)
    .where('team_id', '=', teamId)
    .where((eb) => eb.or([eb('id', '=', memberOrUserId), eb('user_id', '=', memberOrUserId)]))
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('team member'))
}

export async function findMemberId(tx: TenantTx, teamId: string, userId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('identity.team_members')
    .select('id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.id
}

export async function countMembers(tx: TenantTx, teamId: string): Promise<number> {
  const { members } = await tx
    .selectFrom('identity.team_members')
    .select(({ fn }) => fn.countAll<number>().as('members'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  return members
}

type NewMember = { id: string; team_id: string; user_id: string; role: TeamRole; added_by: string | null }

/** Returns only the rows inserted; existing members are skipped. */
export function insertMembers(tx: TenantTx, members: readonly NewMember[]) {
  const { columns, rows } = selectRows(members, {
    id: 'uuid',
    team_id: 'uuid',
    user_id: 'uuid',
    role: 'text',
    added_by: 'uuid',
  })
  return tx
    .insertInto('identity.team_members')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) => conflict.constraint('team_members_once').doNothing())
    .returning(memberColumns)
    .execute()
}

export function updateMemberRow(tx: TenantTx, id: string, role: TeamRole) {
  return tx
    .updateTable('identity.team_members')
    .set({ role })
    .where('id', '=', id)
    .returning(memberColumns)
    .executeTakeFirstOrThrow()
}

export async function deleteMemberRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('identity.team_members').where('id', '=', id).execute()
}

export async function listMemberIds(tx: TenantTx, teamId: string): Promise<string[]> {
  const members = await tx.selectFrom('identity.team_members').select('user_id').where('team_id', '=', teamId).execute()
  return members.map(({ user_id }) => user_id)
}

export function findUsers(tx: TenantTx, ids: readonly string[]) {
  return tx
    .selectFrom('identity.users')
    .select(['id', 'name', 'status'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Locks in id order to avoid deadlocks. */
export function lockTeams(tx: TenantTx, ids: readonly string[]) {
  return tx
    .selectFrom('identity.teams')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}
