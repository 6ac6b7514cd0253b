import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { notFound, roleRequired } from '#platform/errors'
import type { PathRow } from './path-row.ts'

/** The owner, managers and admins write a path and see the answers of its quizzes. */
export const isAuthor = ({ owner_id }: PathRow, { role, userId }: UserActor): boolean =>
  owner_id === userId || isManagerOrAdmin(role)

/** Users see published paths of their audience. Learners see their enrollments in others, too. */
export const canSeePath = (path: PathRow, actor: UserActor, teamIds: readonly string[]): boolean =>
  isAuthor(path, actor) || (path.status === 'published' && isInAudience(path, teamIds))

export const isInAudience = ({ audience_team_ids }: PathRow, teamIds: readonly string[]): boolean =>
  audience_team_ids === null || audience_team_ids.some((id) => teamIds.includes(id))

/** A path that the caller may not see is a 404, one that the caller may only read a 403. */
export function assertAuthor(path: PathRow, actor: UserActor, teamIds: readonly string[]): void {
  if (isAuthor(path, actor)) return
  if (!canSeePath(path, actor, teamIds)) throw notFound('path')
  throw roleRequired('Only the owner of the path, managers and admins can change it.')
}
