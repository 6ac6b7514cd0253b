import { listLedUserIds, listMemberIds, listTeamIdsOfUser, timezoneOf } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { dayInTimezone } from '#platform/calendar'
import type { Page, TenantTx } from '#platform/db'
import { decimal, roundHalfUp } from '#platform/decimal'
import { notFound, roleRequired } from '#platform/errors'
import type { EnrollmentDetails, OwnEnrollment } from '../progress/enrollment.schemas.ts'
import { getVisibleEnrollment } from '../progress/enrollment-access.service.ts'
import { presentEnrollmentDetails } from '../progress/enrollment-details.service.ts'
import { presentEnrollments } from '../progress/present-enrollment.service.ts'
import { isDone, isOpen } from '../progress/progress.rules.ts'
import type { EnrollmentRow } from '../records/enrollment-row.ts'
import { listEnrollmentModules } from '../records/enrollments.queries.ts'
import { canSeePath, isAuthor } from '../records/learning-access.rules.ts'
import { listModulesByIds } from '../records/modules.queries.ts'
import type { PathRow } from '../records/path-row.ts'
import { findPath } from '../records/paths.queries.ts'
import type { OwnEnrollmentQuery, PathEnrollmentQuery, PathEnrollments } from './enrollments.schemas.ts'
import { countPathEnrollments, type Learners, listOwnEnrollmentRows, listPathEnrollmentRows } from './lists.queries.ts'

type At = { now: Date }

export async function getLearningEnrollment(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { now }: At,
): Promise<EnrollmentDetails> {
  const { enrollment } = await getVisibleEnrollment(tx, actor, id)
  return await presentEnrollmentDetails(tx, enrollment, { now })
}

export async function listMyEnrollments(
  tx: TenantTx,
  { userId }: UserActor,
  query: OwnEnrollmentQuery,
  { now }: At,
): Promise<Page<OwnEnrollment>> {
  const page = await listOwnEnrollmentRows(tx, userId, query)
  const [presented, nextModules] = await Promise.all([
    presentEnrollments(tx, page.items, { now }),
    findNextModules(tx, page.items),
  ])
  return {
    ...page,
    items: presented.map((enrollment) => ({ ...enrollment, next_module: nextModules.get(enrollment.id) ?? null })),
  }
}

/** The first module that is not completed, of each open enrollment. */
async function findNextModules(
  tx: TenantTx,
  enrollments: readonly EnrollmentRow[],
): Promise<Map<string, NonNullable<OwnEnrollment['next_module']>>> {
  const open = enrollments.filter(isOpen).map(({ id }) => id)
  const rows = open.length ? await listEnrollmentModules(tx, open) : []
  const next = new Map<string, string>()
  for (const row of rows)
    if (!isDone(row) && row.state !== 'removed' && !next.has(row.enrollment_id))
      next.set(row.enrollment_id, row.module_id)
  const modules = next.size ? await listModulesByIds(tx, [...new Set(next.values())]) : []
  const moduleOf = new Map(modules.map(({ id, title, kind }) => [id, { id, title, kind }]))
  return new Map([...next].map(([enrollmentId, moduleId]) => [enrollmentId, moduleOf.get(moduleId)!]))
}

/** Authors list all enrollments of a path, leads those of the members of their teams. */
export async function listPathEnrollments(
  tx: TenantTx,
  actor: UserActor,
  pathId: string,
  { query, now }: { query: PathEnrollmentQuery; now: Date },
): Promise<PathEnrollments> {
  const path = await findPath(tx, pathId)
  if (!path) throw notFound('path')
  const visible = await listVisibleLearners(tx, actor, path)
  const members = query.team_id === undefined ? null : await listMemberIds(tx, query.team_id)
  const today = dayInTimezone(now, await timezoneOf(tx))
  const scope = { pathId, learners: intersect(visible, members), now, today }
  const [page, summary] = await Promise.all([listPathEnrollmentRows(tx, scope, query), countPathEnrollments(tx, scope)])
  const { total, completed } = summary
  return {
    ...page,
    items: await presentEnrollments(tx, page.items, { now }),
    summary: { ...summary, completion_rate: total ? roundHalfUp(decimal(completed).div(total), 4) : null },
  }
}

async function listVisibleLearners(tx: TenantTx, actor: UserActor, path: PathRow): Promise<Learners> {
  if (isAuthor(path, actor)) return null
  const [led, teamIds] = await Promise.all([listLedUserIds(tx, actor.userId), listTeamIdsOfUser(tx, actor.userId)])
  if (!canSeePath(path, actor, teamIds)) throw notFound('path')
  if (!led.length)
    throw roleRequired('Only the owner of the path, managers, admins and leads of a team can list its enrollments.')
  return led
}

const intersect = (visible: Learners, members: Learners): Learners =>
  visible && members ? visible.filter((id) => members.includes(id)) : (visible ?? members)
