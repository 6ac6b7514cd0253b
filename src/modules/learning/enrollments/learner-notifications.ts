import { Type } from 'typebox'
import { filterActiveUserIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, nullable, strict } from '#platform/schema'
import type { EnrollmentRow } from '../records/enrollment-row.ts'

const payload = { enrollment_id: Id, title: Type.String(), due_on: nullable(Type.String()) }
const pathOf = (enrollmentId: string) => `/learning/enrollments/${enrollmentId}`
const options = { channels: { in_app: true, email: true }, canBeDisabled: true } as const

const enrolled = defineNotification('learning.enrolled', {
  description: 'you were enrolled in a learning path',
  payload: strict(payload),
  text: ({ enrollment_id, title, due_on }) => ({
    title: `Learning path: ${title}`,
    body: due_on === null ? 'You were enrolled.' : `You were enrolled. Complete it by ${due_on}.`,
    path: pathOf(enrollment_id),
  }),
  ...options,
})

const due = defineNotification('learning.due', {
  description: 'a learning path is due soon or overdue',
  payload: strict({ ...payload, is_overdue: Type.Boolean() }),
  text: ({ enrollment_id, title, due_on, is_overdue }) => ({
    title: is_overdue ? `Overdue: ${title}` : `Due soon: ${title}`,
    body: is_overdue ? `It was due on ${due_on}.` : `Complete it by ${due_on}.`,
    path: pathOf(enrollment_id),
  }),
  ...options,
})

type Learner = Pick<EnrollmentRow, 'id' | 'user_id' | 'due_on'>

/** Notifies each learner once per enrollment, however often it is called. */
export async function notifyEnrolled(tx: TenantTx, { id, user_id, due_on }: Learner, title: string): Promise<void> {
  if (!(await filterActiveUserIds(tx, [user_id])).has(user_id)) return
  await notify(
    tx,
    user_id,
    enrolled,
    { enrollment_id: id, title, due_on },
    { resource: { type: 'learning_enrollment', id }, dedupeKey: `enrollment:${id}` },
  )
}

/** Notifies once per due date and step. */
export async function notifyDue(
  tx: TenantTx,
  { id, user_id, due_on }: Learner,
  { title, step }: { title: string; step: number },
): Promise<void> {
  await notify(
    tx,
    user_id,
    due,
    { enrollment_id: id, title, due_on, is_overdue: step > 0 },
    { resource: { type: 'learning_enrollment', id }, dedupeKey: `enrollment:${id}:${due_on}:${step}` },
  )
}
