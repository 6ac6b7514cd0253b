import { Type } from 'typebox'
import { filterActiveUserIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, strict } from '#platform/schema'
import { findCadences } from '../cadence-records/cadences.queries.ts'
import type { EnrollmentRow, PauseReason } from '../cadence-records/enrollments.queries.ts'

const Cadence = { cadence_id: Id, cadence_name: Type.String() }
const pathOf = ({ cadence_id }: { cadence_id: string }) => `/cadences/${cadence_id}`

const causes: Partial<Record<PauseReason, string>> = {
  missing_variable: 'a text of the next email uses a field that is empty and has no fallback',
  send_failed: 'the mail server did not accept an email',
  uncertain: 'a worker or a connection failed while an email was sent. It may have arrived, so it is not sent again',
  sender_deactivated: 'its sender is not active',
}

export const enrollmentsPaused = defineNotification('cadence.enrollments_paused', {
  description: 'persons whom you contact in a cadence are paused because of a problem',
  payload: strict({ ...Cadence, reason: Type.String(), count: Type.Integer() }),
  text: ({ reason, count, ...cadence }) => ({
    title: `Paused persons in the cadence "${cadence.cadence_name}"`,
    body: `${count === 1 ? 'A person is' : `${count} persons are`} paused, because ${causes[reason as PauseReason] ?? 'of a problem'}.`,
    path: pathOf(cadence),
  }),
  channels: { in_app: true, email: false },
  canBeDisabled: true,
  coalesceKey: ({ cadence_id }) => cadence_id,
})

export const personReplied = defineNotification('cadence.replied', {
  description: 'a person whom you contact in a cadence has replied',
  payload: strict({ ...Cadence, person: Type.String(), record_type: Type.String(), record_id: Id }),
  text: ({ cadence_name, person, record_type, record_id }) => ({
    title: `${person} has replied`,
    body: `The person is contacted in the cadence "${cadence_name}".`,
    path: `/${record_type}s/${record_id}`,
  }),
  channels: { in_app: true, email: false },
  canBeDisabled: true,
})

export const cadencePausedByBounces = defineNotification('cadence.auto_paused', {
  description: 'a cadence was paused because too many of its emails bounced',
  payload: strict({ ...Cadence, sent: Type.Integer(), bounced: Type.Integer() }),
  text: ({ sent, bounced, ...cadence }) => ({
    title: `The cadence "${cadence.cadence_name}" is paused`,
    body: `${bounced} of ${sent} emails within 24 hours bounced. Check the email addresses before you activate it again.`,
    path: pathOf(cadence),
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})

/** Notifies each sender once per cadence. */
export async function notifyPaused(
  tx: TenantTx,
  enrollments: readonly EnrollmentRow[],
  reason: PauseReason,
): Promise<void> {
  const withSender = enrollments.filter(({ sender_id }) => sender_id !== null)
  if (!withSender.length) return
  const cadences = await findCadences(tx, [...new Set(withSender.map(({ cadence_id }) => cadence_id))])
  const names = new Map(cadences.map(({ id, name }) => [id, name]))
  const active = await filterActiveUserIds(
    tx,
    withSender.flatMap(({ sender_id }) => sender_id ?? []),
  )
  const groups = Map.groupBy(withSender, ({ sender_id, cadence_id }) => `${sender_id} ${cadence_id}`)
  for (const [first, ...others] of [...groups.values()] as [EnrollmentRow, ...EnrollmentRow[]][]) {
    const { sender_id, cadence_id } = first
    if (!active.has(sender_id!)) continue
    const payload = { cadence_id, cadence_name: names.get(cadence_id) ?? '', reason, count: others.length + 1 }
    await notify(tx, sender_id!, enrollmentsPaused, payload, { resource: { type: 'cadence', id: cadence_id } })
  }
}
