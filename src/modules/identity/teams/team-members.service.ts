import type { SignedIn } from '#platform/access'
import { record, recordEach } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, notFound, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import type { PageQuery } from '#platform/schema'
import { teamMemberAdded, teamMemberRemoved, teamMemberUpdated } from '../identity.events.ts'
import {
  changeMemberRole,
  countMembers,
  deleteMember,
  findMemberId,
  findPeople,
  getMember,
  insertMembers,
  listMembersOf,
  lockMember,
  lockTeams,
} from './team-members.queries.ts'
import { lockTeam, teamExists } from './teams.queries.ts'
import { assertCanJoin, assertRoomForMembers } from './teams.rules.ts'
import type { AddedMember, TeamRole } from './teams.schemas.ts'

/** A team that does not exist has no members; it is not an empty one. */
export async function listMembers(tx: TenantTx, teamId: string, page: PageQuery) {
  if (!(await teamExists(tx, teamId))) throw notFound('team')
  return await listMembersOf(tx, teamId, page)
}

type Named = { id: string; name: string }

export async function addMember(tx: TenantTx, actor: SignedIn, teamId: string, member: AddedMember) {
  const team = await lockTeam(tx, teamId)
  const [added] = await addMembers(tx, actor, team, [member])
  if (!added) throw await alreadyIn(tx, teamId, member.user_id)
  return await getMember(tx, added.id)
}

/** Those who are in the team already are passed over. The team is locked, so that its size can be relied on. */
export async function addMembers(
  tx: TenantTx,
  actor: SignedIn,
  team: Named,
  members: readonly AddedMember[],
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
  assertRoomForMembers(await countMembers(tx, team.id))
  await recordEach(
    tx,
    'team.member_added',
    added.map(({ user_id, role }) => ({ id: team.id, label: team.name, after: { user_id, role } })),
  )
  for (const { user_id, role } of added) await emit(tx, teamMemberAdded, team, { user_id, role: role as TeamRole })
  return added
}

/** Puts a new user into teams. */
export async function joinTeams(tx: TenantTx, actor: SignedIn, userId: string, teamIds: readonly string[]) {
  if (teamIds.length === 0) return
  const teams = await lockTeams(tx, teamIds)
  const known = new Set(teams.map(({ id }) => id))
  const unknown = teamIds.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw unknownReference(`/team_ids/${unknown}`, 'team')

  for (const team of teams) await addMembers(tx, actor, team, [{ user_id: userId }])
}

export async function changeRoleInTeam(tx: TenantTx, teamId: string, memberId: string, role: TeamRole) {
  const team = await lockTeam(tx, teamId)
  const member = await lockMember(tx, teamId, memberId)
  if (member.role !== role) {
    const changed = await changeMemberRole(tx, member.id, role)
    await record(tx, 'team.member_updated', { id: teamId, label: team.name, before: member, after: changed })
    await emit(tx, teamMemberUpdated, team, { user_id: member.user_id, role })
  }
  return await getMember(tx, member.id)
}

export async function removeMember(tx: TenantTx, teamId: string, memberId: string): Promise<void> {
  const team = await lockTeam(tx, teamId)
  const { id, user_id, role } = await lockMember(tx, teamId, memberId)

  await deleteMember(tx, id)
  await record(tx, 'team.member_removed', { id: teamId, label: team.name, before: { user_id, role } })
  await emit(tx, teamMemberRemoved, team, { user_id })
}

/** `path` is where the list stands in the body; a single member stands in the body itself. */
async function assertAllCanJoin(tx: TenantTx, members: readonly AddedMember[], path: string): Promise<void> {
  const people = await findPeople(
    tx,
    members.map(({ user_id }) => user_id),
  )
  const known = new Map(people.map((person) => [person.id, person]))
  members.forEach(({ user_id }, index) => {
    const person = known.get(user_id)
    if (!person || person.status === 'erased') throw unknownReference(`${path && `${path}/${index}`}/user_id`, 'user')
    assertCanJoin(person)
  })
}

async function alreadyIn(tx: TenantTx, teamId: string, userId: string) {
  const existing_id = await findMemberId(tx, teamId, userId)
  return conflict('already_exists', 'This person is in the team already.', { existing_id })
}
