import { findTeamNames, findUserCards, listMemberIds, listTeamIdsOfUser } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { notFound, roleRequired, unknownReference } from '#platform/errors'
import { runInlineOrTask, type StartedTask } from '#platform/tasks'
import { canSeePath, isInAudience } from '../records/learning-access.rules.ts'
import { findPath } from '../records/paths.queries.ts'
import { startEnrolling } from './enroll.jobs.ts'
import { assertMayEnroll } from './enroll-access.service.ts'
import { assertPublished, enrollUsers } from './enroll-users.service.ts'
import type { Enrolled, EnrollInput } from './enrollments.schemas.ts'
import { assertDueOn } from './update-enrollment.service.ts'

type Input = { input: EnrollInput; now: Date }

/** Enrolls the caller, or users and members of teams. More than 200 users are enrolled by a task. */
export async function enrollInLearningPath(
  tx: TenantTx,
  actor: UserActor,
  pathId: string,
  { input, now }: Input,
): Promise<Enrolled | StartedTask> {
  const [path, teamIds] = await Promise.all([findPath(tx, pathId), listTeamIdsOfUser(tx, actor.userId)])
  if (!path) throw notFound('path')
  const isForOthers = input.user_ids !== undefined || input.team_ids !== undefined
  if (!canSeePath(path, actor, teamIds)) throw notFound('path')
  await assertMayEnroll(tx, actor, input)
  assertPublished(path)
  await assertDueOn(tx, input.due_on, now)
  if (!isForOthers) {
    if (!path.self_enroll && !isManagerOrAdmin(actor.role))
      throw roleRequired('Users cannot enroll themselves in this path. Ask a manager.')
    if (!isInAudience(path, teamIds) && !isManagerOrAdmin(actor.role)) throw notFound('path')
  }
  const userIds = isForOthers ? await resolveUserIds(tx, input) : [actor.userId]
  const options = {
    source: isForOthers ? 'assigned' : 'self',
    dueOn: input.due_on,
    isMandatory: input.is_mandatory ?? isForOthers,
  } as const
  const assignedBy = isForOthers ? actor.userId : null
  return await runInlineOrTask(userIds.length, {
    runInline: async () =>
      (await enrollUsers(tx, pathId, userIds, { ...options, assignedBy, again: 'closed', now })).result,
    startTask: () => startEnrolling(tx, actor, path, { userIds, requested: input, ...options }),
  })
}

async function resolveUserIds(tx: TenantTx, { user_ids = [], team_ids = [] }: EnrollInput): Promise<string[]> {
  const [teams, cards] = await Promise.all([findTeamNames(tx, team_ids), findUserCards(tx, user_ids)])
  const unknownTeam = team_ids.findIndex((id) => !teams.has(id))
  if (unknownTeam >= 0) throw unknownReference(`/team_ids/${unknownTeam}`, 'team')
  const unknownUser = user_ids.findIndex((id) => !cards.has(id))
  if (unknownUser >= 0) throw unknownReference(`/user_ids/${unknownUser}`, 'user')
  const members = (await Promise.all(team_ids.map((id) => listMemberIds(tx, id)))).flat()
  return [...new Set([...user_ids, ...members])].sort()
}
