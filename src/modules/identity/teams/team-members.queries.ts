import { type Insertable, sql } from 'kysely'
import { Type } from 'typebox'
import { afterCursor, type Database, type Page, type TenantTx, toPage, totalOf } from '#platform/db'
import { notFound } from '#platform/errors'
import { Id, type PageQuery } from '#platform/schema'
import type { TeamMember, TeamRole } from './teams.schemas.ts'

const memberColumns = ['id', 'team_id', 'user_id', 'role', 'created_at'] as const
const SortKey = Type.Tuple([Type.String(), Type.String(), Id])

/** Whoever leads comes first ("lead" sorts before "member"), then by name. */
export async function listMembersOf(tx: TenantTx, teamId: string, page: PageQuery): Promise<Page<TeamMember>> {
  let rows = describeMembers(tx)
    .where('m.team_id', '=', teamId)
    .orderBy('m.role')
    .orderBy('u.name_key')
    .orderBy('m.id')
    .limit(page.limit + 1)
  if (page.cursor) {
    const after = afterCursor(page.cursor, SortKey)
    rows = rows.where((eb) => eb(eb.refTuple('m.role', 'u.name_key', 'm.id'), '>', eb.tuple(...after)))
  } else rows = rows.offset(page.offset)

  const members = tx.selectFrom('identity.team_members').where('team_id', '=', teamId)
  const total = await totalOf(tx, members, page)
  const listed = toPage(await rows.execute(), total, page, ({ role, name_key, id }) => [role, name_key, id])
  return { ...listed, items: listed.items.map(toMember) }
}

export async function getMember(tx: TenantTx, id: string): Promise<TeamMember> {
  const row = await describeMembers(tx)
    .where('m.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('team member'))
  return toMember(row)
}

const describeMembers = (tx: TenantTx) =>
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

type MemberRow = Awaited<ReturnType<ReturnType<typeof describeMembers>['executeTakeFirstOrThrow']>>

const toMember = ({ id, user_id, role, created_at, name, email, status, avatar_url }: MemberRow): TeamMember => ({
  id,
  user_id,
  role: role as TeamRole,
  user: { id: user_id, name, email, status, avatar_url },
  created_at,
})

/** By the id of the membership or of the user; both name one row of the team at most. */
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
  const found = await tx
    .selectFrom('identity.team_members')
    .select('id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found?.id
}

export async function countMembers(tx: TenantTx, teamId: string): Promise<number> {
  const { members } = await tx
    .selectFrom('identity.team_members')
    .select(({ fn }) => fn.countAll<number>().as('members'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  return members
}

/** Those who were not in the team yet. */
export function insertMembers(tx: TenantTx, members: Insertable<Database['identity.team_members']>[]) {
  return tx
    .insertInto('identity.team_members')
    .values(members)
    .onConflict((conflict) => conflict.constraint('team_members_once').doNothing())
    .returning(memberColumns)
    .execute()
}

export function changeMemberRole(tx: TenantTx, id: string, role: TeamRole) {
  return tx
    .updateTable('identity.team_members')
    .set({ role })
    .where('id', '=', id)
    .returning(memberColumns)
    .executeTakeFirstOrThrow()
}

export async function deleteMember(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('identity.team_members').where('id', '=', id).execute()
}

/** Who is in a team; nobody if there is no such team. */
export async function listMemberIds(tx: TenantTx, teamId: string): Promise<string[]> {
  const members = await tx.selectFrom('identity.team_members').select('user_id').where('team_id', '=', teamId).execute()
  return members.map(({ user_id }) => user_id)
}

export function findPeople(tx: TenantTx, ids: readonly string[]) {
  return tx
    .selectFrom('identity.users')
    .select(['id', 'name', 'status'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Always in the same order, so that two who lock several teams never wait for each other. */
export function lockTeams(tx: TenantTx, ids: readonly string[]) {
  return tx
    .selectFrom('identity.teams')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}
