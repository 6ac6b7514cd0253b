import type { UserActor } from '#platform/access'
import { recordAudit, recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, notFound, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import type { PageQuery } from '#platform/schema'
import { teamMemberAdded, teamMemberRemoved, teamMemberUpdated } from '../../identity.events.ts'
import {
  countMembers,
  deleteMemberRow,
  findMemberId,
  findUsers,
  getTeamMember,
  insertMembers,
  listMemberRows,
  lockMember,
  lockTeams,
  updateMemberRow,
} from './team-members.queries.ts'
import { lockTeam, teamExists } from './teams.queries.ts'
import { assertCanJoin, assertMemberLimit } from './teams.rules.ts'
import type { NewTeamMember, TeamRole } from './teams.schemas.ts'

export async function listTeamMembers(tx: TenantTx, teamId: string, page: PageQuery) {
  if (!(await teamExists(tx, teamId))) throw notFound('team')
  return await listMemberRows(tx, teamId, page)
}

type TeamRef = { id: string; name: string }

export async function addTeamMember(tx: TenantTx, actor: UserActor, teamId: string, member: NewTeamMember) {
  const team = await lockTeam(tx, teamId)
  const [added] = await addTeamMembers(tx, actor, team, [member])
  if (!added) throw await alreadyMember(tx, teamId, member.user_id)
  return await getTeamMember(tx, added.id)
}

/** Skips users who are already members. Lock the team first, so the member limit holds. */
export async function addTeamMembers(
  tx: TenantTx,
  actor: UserActor,
  team: TeamRef,
  members: readonly NewTeamMember[],
  path = '',
) {
  if (members.length === 0) return []
  await assertAllCanJoin(tx, members, path)

  const rows = members.map(({ user_id, role = 'member' }) => ({
    id: newId(),
    team_id: team.id,
    user_id,
    role,
    added_by: actor.userId,
  }))
  const added = await insertMembers(tx, rows)
  assertMemberLimit(await countMembers(tx, team.id))
  await recordAuditEntries(
    tx,
    'team.member_added',
    added.map(({ user_id, role }) => ({ id: team.id, label: team.name, after: { user_id, role } })),
  )
  for (const { user_id, role } of added) await emit(tx, teamMemberAdded, team, { user_id, role: role as TeamRole })
  return added
}

export async function addUserToTeams(tx: TenantTx, actor: UserActor, userId: string, teamIds: readonly string[]) {
  if (teamIds.length === 0) return
  const teams = await lockTeams(tx, teamIds)
  const known = new Set(teams.map(({ id }) => id))
  const unknown = teamIds.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw unknownReference(`/team_ids/${unknown}`, 'team')

  for (const team of teams) await addTeamMembers(tx, actor, team, [{ user_id: userId }])
}

export async function updateTeamMember(tx: TenantTx, teamId: string, memberId: string, role: TeamRole) {
  const team = await lockTeam(tx, teamId)
  const member = await lockMember(tx, teamId, memberId)
  if (member.role !== role) {
    const changed = await updateMemberRow(tx, member.id, role)
    await recordAudit(tx, 'team.member_updated', { id: teamId, label: team.name, before: member, after: changed })
    await emit(tx, teamMemberUpdated, team, { user_id: member.user_id, role })
  }
  return await getTeamMember(tx, member.id)
}

export async function removeTeamMember(tx: TenantTx, teamId: string, memberId: string): Promise<void> {
  const team = await lockTeam(tx, teamId)
  const { id, user_id, role } = await lockMember(tx, teamId, memberId)

  await deleteMemberRow(tx, id)
  await recordAudit(tx, 'team.member_removed', { id: teamId, label: team.name, before: { user_id, role } })
  await emit(tx, teamMemberRemoved, team, { user_id })
}

/** `path` is the JSON pointer of the list in the request body, or empty for a single member. */
async function assertAllCanJoin(tx: TenantTx, members: readonly NewTeamMember[], path: string): Promise<void> {
  const users = await findUsers(
    tx,
    members.map(({ user_id }) => user_id),
  )
  const known = new Map(users.map((user) => [user.id, user]))
  members.forEach(({ user_id }, index) => {
    const user = known.get(user_id)
    if (!user || user.status === 'erased') throw unknownReference(`${path && `${path}/${index}`}/user_id`, 'user')
    assertCanJoin(user)
  })
}

async function alreadyMember(tx: TenantTx, teamId: string, userId: string) {
  const existing_id = await findMemberId(tx, teamId, userId)
  return conflict('already_exists', 'This user is already a member of the team.', { existing_id })
}
