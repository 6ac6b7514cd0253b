import { recordAudit } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type DomainEvent, emit } from '#platform/outbox'
import {
  expertRequestAccepted,
  expertRequestAnswered,
  expertRequestAssigned,
  expertRequestBreached,
  expertRequestCancelled,
  expertRequestClosed,
  expertRequestCreated,
  expertRequestDeclined,
  expertRequestReopened,
  expertRequestUnassigned,
} from '../experts.events.ts'
import type { RequestRow } from './request-row.ts'
import { insertRequestEvents } from './requests.queries.ts'
import type { EventKind } from './requests.schemas.ts'

type RequestEvent = DomainEvent<(typeof expertRequestCreated)['data']>

const events: Record<EventKind, RequestEvent> = {
  created: expertRequestCreated,
  assigned: expertRequestAssigned,
  unassigned: expertRequestUnassigned,
  accepted: expertRequestAccepted,
  declined: expertRequestDeclined,
  answered: expertRequestAnswered,
  closed: expertRequestClosed,
  reopened: expertRequestReopened,
  cancelled: expertRequestCancelled,
  breached: expertRequestBreached,
}

/** Texts stay out of the audit log. */
const auditedFields = ['status', 'priority', 'expert_user_id', 'due_at', 'rating', 'reopen_count'] as const

export const toAuditValues = (request: RequestRow) =>
  Object.fromEntries(auditedFields.map((field) => [field, request[field]]))

type Change = { before?: RequestRow; after: RequestRow; note?: string | undefined; now: Date }

/** Writes the history, the audit entry and the event of a change. */
export async function recordRequestChange(
  tx: TenantTx,
  kind: EventKind,
  { before, after, note, now }: Change,
): Promise<void> {
  const event = events[kind]
  await insertRequestEvents(tx, [
    {
      id: newId(),
      request_id: after.id,
      actor_id: actorOf(tx).userId,
      kind,
      expert_user_id: kind === 'assigned' ? after.expert_user_id : null,
      note: note ?? null,
      from_status: before?.status ?? null,
      to_status: after.status,
      created_at: now,
    },
  ])
  await recordAudit(tx, event.type as 'expert_request.created', {
    id: after.id,
    label: after.topic,
    ...(before && { before: toAuditValues(before) }),
    after: toAuditValues(after),
  })
  const { topic, requester_id, expert_user_id } = after
  await emit(tx, event, after, { topic, requester_id, expert_user_id })
}
