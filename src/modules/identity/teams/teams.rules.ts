import { conflict, invalid, versionMismatch } from '#platform/errors'

export const maxTeams = 1_000
export const maxMembers = 2_000
export const maxLevels = 5

/** Something that would be lost or left hanging if a team went. */
export type Dependent = { type: string; id: string; name: string }

export function assertVersion({ version }: { version: number }, expectedVersion?: number): void {
  if (expectedVersion !== undefined && expectedVersion !== version) throw versionMismatch()
}

export function assertRoomForTeam(teams: number): void {
  if (teams >= maxTeams)
    throw conflict('conflict', `A workspace has at most ${maxTeams} teams. Delete one that is no longer used.`)
}

export function assertRoomForMembers(members: number): void {
  if (members > maxMembers) throw conflict('conflict', `A team has at most ${maxMembers} members.`)
}

/** `above` is the future parent and its own parents; `levels` is how many levels the team and those below it take. */
export function assertFits(teamId: string | null, above: string[], levels: number): void {
  if (teamId !== null && above.includes(teamId))
    throw invalid('body', '/parent_team_id', 'cycle', 'A team cannot be put below itself or one of its own sub-teams.')
  if (above.length + levels > maxLevels)
    throw invalid('body', '/parent_team_id', 'depth', `Teams are nested at most ${maxLevels} levels deep.`)
}

export function assertNoDependents(dependents: Dependent[]): void {
  if (dependents.length)
    throw conflict('conflict', 'Other things depend on this team. Move or delete them first.', { dependents })
}

export function assertCanJoin({ status }: { status: string }): void {
  if (status === 'deactivated')
    throw conflict('conflict', 'This user is deactivated. Reactivate them before adding them to a team.')
}

/** Naming somebody twice is a mistake: which of the two roles would count? */
export function assertNamedOnce(members: readonly { user_id: string }[]): void {
  const seen = new Set<string>()
  members.forEach(({ user_id }, index) => {
    if (seen.has(user_id))
      throw invalid('body', `/members/${index}/user_id`, 'unique', 'This person is in the list more than once.')
    seen.add(user_id)
  })
}
