import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import { levelsFrom, lineAbove, lockTree, searchText, type TenantTx } from '#platform/db'
import { conflict, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { teamCreated, teamDeleted, teamUpdated } from '../identity.events.ts'
import { realChanges } from '../users/users.rules.ts'
import { addMembers } from './team-members.service.ts'
import { listSubTeams, teamTree } from './team-tree.queries.ts'
import {
  changeTeamFields,
  countTeams,
  deleteTeam,
  findTeamIdByName,
  getTeam,
  insertTeam,
  lockTeam,
} from './teams.queries.ts'
import {
  assertFits,
  assertNamedOnce,
  assertNoDependents,
  assertRoomForTeam,
  assertVersion,
  type Dependent,
} from './teams.rules.ts'
import type { NewTeam, TeamChanges } from './teams.schemas.ts'

/** Names what another module would lose with a team. */
export type FindDependents = (tx: TenantTx, teamId: string) => Promise<Dependent[]>

/** Changes of the tree follow one another, so that names, levels and the number of teams can be relied on. */
export async function formTeam(tx: TenantTx, actor: SignedIn, { members = [], ...input }: NewTeam) {
  assertNamedOnce(members)
  await lockTree(tx, teamTree)
  assertRoomForTeam(await countTeams(tx))
  await assertNameIsFree(tx, input.name)
  if (input.parent_team_id) assertFits(null, await parentsFrom(tx, input.parent_team_id), 1)

  const fields = { ...input, color: input.color?.toLowerCase() }
  const team = await insertTeam(tx, { id: newId(), ...fields, search_text: textOf(input) })
  await record(tx, 'team.created', { id: team.id, label: team.name, after: team })
  await emit(tx, teamCreated, team, { name: team.name })
  await addMembers(tx, actor, team, members, '/members')
  return await getTeam(tx, team.id)
}

type ChangeRequest = { changes: TeamChanges; expectedVersion?: number }

export async function changeTeam(tx: TenantTx, teamId: string, { changes: asked, expectedVersion }: ChangeRequest) {
  await lockTree(tx, teamTree)
  const team = await lockTeam(tx, teamId)
  assertVersion(team, expectedVersion)
  const changes = realChanges(team, asked.color ? { ...asked, color: asked.color.toLowerCase() } : asked)
  if (Object.keys(changes).length === 0) return await getTeam(tx, teamId)
  if (changes.name !== undefined) await assertNameIsFree(tx, changes.name, teamId)
  if (changes.parent_team_id)
    assertFits(teamId, await parentsFrom(tx, changes.parent_team_id), await levelsFrom(tx, teamTree, teamId))

  const changed = await changeTeamFields(tx, teamId, { ...changes, search_text: textOf({ ...team, ...changes }) })
  await record(tx, 'team.updated', { id: teamId, label: changed.name, before: team, after: changed })
  await emit(tx, teamUpdated, changed, { changed: Object.keys(changes) })
  return await getTeam(tx, teamId)
}

type Dissolution = { expectedVersion?: number; dependents: readonly FindDependents[] }

/** Its members stay in the workspace. What merely mentions the team forgets it; what needs it stands in the way. */
export async function dissolveTeam(tx: TenantTx, teamId: string, { expectedVersion, dependents }: Dissolution) {
  await lockTree(tx, teamTree)
  const team = await lockTeam(tx, teamId)
  assertVersion(team, expectedVersion)
  const found: Dependent[] = []
  for (const find of [listSubTeams, ...dependents]) found.push(...(await find(tx, teamId)))
  assertNoDependents(found)

  await deleteTeam(tx, teamId)
  await record(tx, 'team.deleted', { id: teamId, label: team.name, before: team })
  await emit(tx, teamDeleted, team, { name: team.name })
}

async function parentsFrom(tx: TenantTx, parentId: string): Promise<string[]> {
  const above = await lineAbove(tx, teamTree, parentId)
  if (above.length === 0) throw unknownReference('/parent_team_id', 'team')
  return above
}

async function assertNameIsFree(tx: TenantTx, name: string, ownId?: string): Promise<void> {
  const existing = await findTeamIdByName(tx, name)
  if (existing && existing !== ownId)
    throw conflict('already_exists', 'There is a team of this name already.', { existing_id: existing })
}

const textOf = ({ name, description }: { name: string; description?: string | null }) => searchText(name, description)
