import { Type } from 'typebox'
import { filterActiveUserIds, listManagerIdsToNotify } from '#modules/identity'
import { actorOf, type TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, strict } from '#platform/schema'
import { type CadenceRow, findCadences } from '../cadence-records/cadences.queries.ts'
import type { EnrollmentRow, PauseReason } from '../cadence-records/enrollments.queries.ts'

const Cadence = { cadence_id: Id, cadence_name: Type.String() }
const pathOf = ({ cadence_id }: { cadence_id: string }) => `/cadences/${cadence_id}`

const causes: Partial<Record<PauseReason, string>> = {
  missing_variable: 'a text of the next email uses a field that is empty and has no fallback',
  send_failed: 'the mail server did not accept an email',
  uncertain: 'a worker or a connection failed while an email was sent. It may have arrived, so it is not sent again',
  sender_deactivated: 'their sender is not active. Give them another sender',
}

export const enrollmentsPaused = defineNotification('cadence.enrollments_paused', {
  description: 'persons in a cadence of yours are paused because of a problem',
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
  description: 'a person in a cadence of yours has replied',
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

export const senderChosen = defineNotification('cadence.sender_chosen', {
  description: 'another user made you the sender of persons in a cadence',
  payload: strict(Cadence),
  text: (cadence) => ({
    title: `You are the sender of persons in the cadence "${cadence.cadence_name}"`,
    body: 'Another user chose you. Emails to these persons come from you, and you get their tasks.',
    path: pathOf(cadence),
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
  emailDelaySeconds: 120,
  coalesceKey: ({ cadence_id }) => cadence_id,
})

/** Notifies a user whom another user made the sender. `requestKey` is the same in all batches of a request, which notifies once. */
export async function notifyChosenSender(
  tx: TenantTx,
  { id, name }: Pick<CadenceRow, 'id' | 'name'>,
  { senderId, requestKey }: { senderId: string; requestKey: string },
): Promise<void> {
  if (actorOf(tx).userId === senderId) return
  await notify(
    tx,
    senderId,
    senderChosen,
    { cadence_id: id, cadence_name: name },
    { resource: { type: 'cadence', id }, dedupeKey: `cadence_sender:${requestKey}:${id}` },
  )
}

/** Notifies the sender of paused enrollments once per cadence. */
export async function notifyPaused(
  tx: TenantTx,
  enrollments: readonly EnrollmentRow[],
  reason: PauseReason,
): Promise<void> {
  if (!enrollments.length) return
  const cadences = await findCadences(tx, [...new Set(enrollments.map(({ cadence_id }) => cadence_id))])
  const cadenceById = new Map(cadences.map((cadence) => [cadence.id, cadence]))
  const groups = Map.groupBy(enrollments, ({ sender_id, cadence_id }) => `${sender_id} ${cadence_id}`)
  for (const [first, ...others] of [...groups.values()] as [EnrollmentRow, ...EnrollmentRow[]][]) {
    const cadence = cadenceById.get(first.cadence_id)!
    const payload = { cadence_id: cadence.id, cadence_name: cadence.name, reason, count: others.length + 1 }
    for (const userId of await listRecipients(tx, [first.sender_id, cadence.owner_id]))
      await notify(tx, userId, enrollmentsPaused, payload, { resource: { type: 'cadence', id: cadence.id } })
  }
}

/** The first of the users who is active, else managers. */
export async function listRecipients(tx: TenantTx, userIds: readonly (string | null)[]): Promise<string[]> {
  const ids = userIds.flatMap((id) => id ?? [])
  const active = await filterActiveUserIds(tx, ids)
  const recipient = ids.find((id) => active.has(id))
  return recipient ? [recipient] : await listManagerIdsToNotify(tx)
}
