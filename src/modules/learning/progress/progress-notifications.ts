import { Type } from 'typebox'
import { filterActiveUserIds, findActiveTeamLead, listManagerIdsToNotify } from '#modules/identity'
import { actorOf, type TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, nullable, strict } from '#platform/schema'
import type { EnrollmentRow } from '../records/enrollment-row.ts'
import type { PathRow } from '../records/path-row.ts'

/** Without names of learners, because the notifications of other users outlive the erasure of a user. */
const payload = { enrollment_id: Id, title: Type.String() }
const pathOf = (enrollmentId: string) => `/learning/enrollments/${enrollmentId}`
const options = { channels: { in_app: true, email: true }, canBeDisabled: true } as const

const enrollmentFailed = defineNotification('learning.failed', {
  description: 'a learner you coach has no attempts left',
  payload: strict(payload),
  text: ({ enrollment_id, title }) => ({
    title: `No attempts left: ${title}`,
    body: 'A learner failed a required module. You can reset or waive it.',
    path: pathOf(enrollment_id),
  }),
  ...options,
})

const submissionReceived = defineNotification('learning.submitted', {
  description: 'an assignment waits for your review',
  payload: strict(payload),
  text: ({ enrollment_id, title }) => ({
    title: `Assignment to review: ${title}`,
    body: 'A learner submitted an assignment.',
    path: pathOf(enrollment_id),
  }),
  ...options,
})

const moduleReviewed = defineNotification('learning.reviewed', {
  description: 'a coach reviewed a module of your learning path',
  payload: strict({ ...payload, decision: Type.String() }),
  text: ({ enrollment_id, title, decision }) => ({
    title: `Reviewed: ${title}`,
    body: reviewTexts[decision] ?? 'A coach reviewed one of your modules.',
    path: pathOf(enrollment_id),
  }),
  ...options,
})

const reviewTexts: Record<string, string> = {
  pass: 'You passed the assignment.',
  fail: 'The assignment was not accepted. Read the comment of your coach.',
  waive: 'A module was waived.',
  reset: 'You can try the module again.',
}

const certificateExpiring = defineNotification('learning.certificate_expiring', {
  description: 'one of your certificates expires soon, and you were enrolled again',
  payload: strict({ ...payload, expires_on: nullable(Type.String()) }),
  text: ({ enrollment_id, title, expires_on }) => ({
    title: `Renew your certificate: ${title}`,
    body: expires_on === null ? 'Take the path again.' : `It expires on ${expires_on}. Take the path again.`,
    path: pathOf(enrollment_id),
  }),
  ...options,
})

type Notice = Parameters<typeof notify>[2]
const resourceOf = (id: string) => ({ resource: { type: 'learning_enrollment', id } })

/** Coaches: the lead of a team of the learner, else managers. */
async function notifyCoaches(
  tx: TenantTx,
  notification: Notice,
  { id, user_id }: EnrollmentRow,
  { title }: PathRow,
): Promise<void> {
  const lead = await findActiveTeamLead(tx, user_id)
  const coaches = lead ? [lead] : await listManagerIdsToNotify(tx)
  for (const userId of coaches)
    if (userId !== user_id) await notify(tx, userId, notification, { enrollment_id: id, title }, resourceOf(id))
}

export const notifyFailed = (tx: TenantTx, enrollment: EnrollmentRow, path: PathRow): Promise<void> =>
  notifyCoaches(tx, enrollmentFailed, enrollment, path)

export const notifySubmitted = (tx: TenantTx, enrollment: EnrollmentRow, path: PathRow): Promise<void> =>
  notifyCoaches(tx, submissionReceived, enrollment, path)

export async function notifyReviewed(
  tx: TenantTx,
  { id, user_id }: EnrollmentRow,
  { title }: PathRow,
  decision: string,
): Promise<void> {
  const [userId] = await filterActiveUserIds(tx, [user_id])
  if (userId !== undefined && userId !== actorOf(tx).userId)
    await notify(tx, userId, moduleReviewed, { enrollment_id: id, title, decision }, resourceOf(id))
}

/** Notifies the holder of a certificate once per new enrollment. */
export async function notifyRenewal(
  tx: TenantTx,
  { id, user_id }: EnrollmentRow,
  { title, expires_on }: { title: string; expires_on: string | null },
): Promise<void> {
  await notify(
    tx,
    user_id,
    certificateExpiring,
    { enrollment_id: id, title, expires_on },
    { ...resourceOf(id), dedupeKey: `enrollment:${id}` },
  )
}
