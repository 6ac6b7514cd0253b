import { conflict, invalid } from '#platform/errors'

export const maxTeams = 1_000
export const maxMembers = 2_000
export const maxLevels = 5

export type TeamDependent = { type: string; id: string; name: string }

export function assertTeamLimit(teams: number): void {
  if (teams >= maxTeams)
    throw conflict('conflict', `The workspace already has ${maxTeams} teams, the maximum. Delete a team first.`)
}

export function assertMemberLimit(members: number): void {
  if (members > maxMembers) throw conflict('conflict', `A team can have at most ${maxMembers} members.`)
}

/** `ancestorIds` are the new parent and its ancestors; `levels` is the height of the team's own subtree. */
export function assertValidParent(teamId: string | null, ancestorIds: string[], levels: number): void {
  if (teamId !== null && ancestorIds.includes(teamId))
    throw invalid(
      'body',
      '/parent_team_id',
      'cycle',
      '`parent_team_id` must not be the team itself or one of its sub-teams.',
    )
  if (ancestorIds.length + levels > maxLevels)
    throw invalid(
      'body',
      '/parent_team_id',
      'depth',
      `Teams can be nested at most ${maxLevels} levels deep. Choose a parent on a higher level.`,
    )
}

export function assertNoDependents(dependents: TeamDependent[]): void {
  if (dependents.length)
    throw conflict('conflict', 'Other records depend on this team. Move or delete them first.', { dependents })
}

export function assertCanJoin({ status }: { status: string }): void {
  if (status === 'deactivated')
    throw conflict('conflict', 'A deactivated user cannot join a team. Reactivate the user first.')
}

export function assertUniqueMembers(members: readonly { user_id: string }[]): void {
  const seen = new Set<string>()
  members.forEach(({ user_id }, index) => {
    if (seen.has(user_id))
      throw invalid('body', `/members/${index}/user_id`, 'unique', 'Each user can be listed only once.')
    seen.add(user_id)
  })
}
