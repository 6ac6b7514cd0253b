import { teamMemberAdded } from '#events/identity'
import { listMemberIds } from '#modules/identity'
import { systemClock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { defineJob, defineJobHandler, enqueue } from '#platform/jobs'
import type { Services } from '#platform/module'
import { subscribe } from '#platform/outbox'
import { Id, strict } from '#platform/schema'
import { enrollmentCreated, pathPublished, pathUpdated } from '../learning.events.ts'
import { findEnrollment } from '../records/enrollments.queries.ts'
import { findPath, listPathIdsOfTeam } from '../records/paths.queries.ts'
import { enrollUsers } from './enroll-users.service.ts'
import { notifyEnrolled } from './learner-notifications.ts'

const batchSize = 500

const enrollTeamsJob = defineJob('enablement.enroll_teams', 'events', strict({ path_id: Id }))

/** Enrolls the members of the teams of a path when it is published or gets other teams. */
export const onPathPublished = subscribe(
  [pathPublished, pathUpdated],
  'enablement.enroll_teams',
  async (tx, { subject }) => {
    const path = await findPath(tx, subject.id)
    if (path?.status === 'published' && path.auto_enroll_team_ids.length)
      await enqueue(tx, enrollTeamsJob, { path_id: path.id })
  },
)

export const enrollTeamsHandler = ({ clock }: Pick<Services, 'clock'>) =>
  defineJobHandler(enrollTeamsJob, async ({ inTenant, signal }, { path_id }) => {
    const userIds = await inTenant(async (tx) => {
      const path = await findPath(tx, path_id)
      const teams = path?.status === 'published' ? path.auto_enroll_team_ids : []
      const members = await Promise.all(teams.map((id) => listMemberIds(tx, id)))
      return [...new Set(members.flat())].sort()
    })
    for (let done = 0; done < userIds.length; done += batchSize) {
      signal.throwIfAborted()
      await inTenant((tx) => enrollTeamMembers(tx, path_id, userIds.slice(done, done + batchSize), clock.now()))
    }
  })

/** Enrolls users who were never enrolled, so that the job can run twice and brings no withdrawn user back. */
async function enrollTeamMembers(tx: TenantTx, pathId: string, userIds: readonly string[], now: Date): Promise<void> {
  if ((await findPath(tx, pathId))?.status !== 'published') return
  await enrollUsers(tx, pathId, userIds, { source: 'team', assignedBy: null, isMandatory: true, again: 'never', now })
}

export const onTeamMemberAdded = subscribe(
  teamMemberAdded,
  'enablement.enroll_team_members',
  async (tx, { subject, data }) => {
    for (const pathId of await listPathIdsOfTeam(tx, subject.id))
      await enrollTeamMembers(tx, pathId, [data.user_id], systemClock.now())
  },
)

/** Users who enroll themselves need no notification, and sample data notifies no users. */
export const onEnrollmentCreated = subscribe(
  enrollmentCreated,
  'enablement.notify_learners',
  async (tx, { subject, data, origin }) => {
    if (origin === 'sample' || data.source === 'self' || data.source === 'recertify') return
    const [enrollment, path] = await Promise.all([findEnrollment(tx, subject.id), findPath(tx, data.path_id)])
    if (enrollment && path) await notifyEnrolled(tx, enrollment, path.title)
  },
)
