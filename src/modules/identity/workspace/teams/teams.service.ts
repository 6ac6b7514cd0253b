import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { getSubtreeHeight, listSelfAndAncestorIds, lockTree, type TenantTx, toSearchText } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { teamCreated, teamDeleted, teamUpdated } from '../../identity.events.ts'
import { addTeamMembers } from './team-members.service.ts'
import { listSubTeams, teamTree } from './team-tree.queries.ts'
import {
  countTeams,
  deleteTeamRow,
  findTeamIdByName,
  getTeam,
  insertTeam,
  lockTeam,
  updateTeamRow,
} from './teams.queries.ts'
import {
  assertNoDependents,
  assertTeamLimit,
  assertUniqueMembers,
  assertValidParent,
  type TeamDependent,
} from './teams.rules.ts'
import type { NewTeam, TeamChanges } from './teams.schemas.ts'

export type FindTeamDependents = (tx: TenantTx, teamId: string) => Promise<TeamDependent[]>

/** Serializes changes of the team tree, so unique names, nesting depth and the team limit hold under concurrency. */
export async function createTeam(tx: TenantTx, actor: UserActor, { members = [], ...input }: NewTeam) {
  assertUniqueMembers(members)
  await lockTree(tx, teamTree)
  assertTeamLimit(await countTeams(tx))
  await assertNameIsFree(tx, input.name)
  if (input.parent_team_id) assertValidParent(null, await listParentIds(tx, input.parent_team_id), 1)

  const fields = { ...input, color: input.color?.toLowerCase() }
  const team = await insertTeam(tx, { id: newId(), ...fields, search_text: teamSearchText(input) })
  await recordAudit(tx, 'team.created', { id: team.id, label: team.name, after: team })
  await emit(tx, teamCreated, team, { name: team.name })
  await addTeamMembers(tx, actor, team, members, '/members')
  return await getTeam(tx, team.id)
}

type UpdateTeamInput = { changes: TeamChanges; expectedVersion?: number }

export async function updateTeam(
  tx: TenantTx,
  teamId: string,
  { changes: requested, expectedVersion }: UpdateTeamInput,
) {
  await lockTree(tx, teamTree)
  const team = await lockTeam(tx, teamId)
  assertVersion(team, expectedVersion)
  const changes = changedFields(
    team,
    requested.color ? { ...requested, color: requested.color.toLowerCase() } : requested,
  )
  if (Object.keys(changes).length === 0) return await getTeam(tx, teamId)
  if (changes.name !== undefined) await assertNameIsFree(tx, changes.name, teamId)
  if (changes.parent_team_id)
    assertValidParent(
      teamId,
      await listParentIds(tx, changes.parent_team_id),
      await getSubtreeHeight(tx, teamTree, teamId),
    )

  const changed = await updateTeamRow(tx, teamId, { ...changes, search_text: teamSearchText({ ...team, ...changes }) })
  await recordAudit(tx, 'team.updated', { id: teamId, label: changed.name, before: team, after: changed })
  await emit(tx, teamUpdated, changed, { changed: Object.keys(changes) })
  return await getTeam(tx, teamId)
}

type DeleteTeamInput = { expectedVersion?: number; dependents: readonly FindTeamDependents[] }

/** Sets optional references to the team to null; required references block the delete. */
export async function deleteTeam(tx: TenantTx, teamId: string, { expectedVersion, dependents }: DeleteTeamInput) {
  await lockTree(tx, teamTree)
  const team = await lockTeam(tx, teamId)
  assertVersion(team, expectedVersion)
  const blocking: TeamDependent[] = []
  for (const find of [listSubTeams, ...dependents]) blocking.push(...(await find(tx, teamId)))
  assertNoDependents(blocking)

  await deleteTeamRow(tx, teamId)
  await recordAudit(tx, 'team.deleted', { id: teamId, label: team.name, before: team })
  await emit(tx, teamDeleted, team, { name: team.name })
}

async function listParentIds(tx: TenantTx, parentId: string): Promise<string[]> {
  const ancestorIds = await listSelfAndAncestorIds(tx, teamTree, parentId)
  if (ancestorIds.length === 0) throw unknownReference('/parent_team_id', 'team')
  return ancestorIds
}

async function assertNameIsFree(tx: TenantTx, name: string, ownId?: string): Promise<void> {
  const existing = await findTeamIdByName(tx, name)
  if (existing && existing !== ownId)
    throw conflict('already_exists', 'A team with this name already exists.', { existing_id: existing })
}

const teamSearchText = ({ name, description }: { name: string; description?: string | null }) =>
  toSearchText(name, description)
