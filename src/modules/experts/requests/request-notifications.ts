import { Type } from 'typebox'
import { listManagerIdsToNotify } from '#modules/identity'
import { actorOf, type TenantTx } from '#platform/db'
import { defineNotification, type NotificationKind, notify } from '#platform/notify'
import { Id, strict } from '#platform/schema'
import type { RequestRow } from './request-row.ts'

const payload = strict({ request_id: Id, topic: Type.String() })

const defineRequestNotification = (kind: string, description: string, title: string, body: string) =>
  defineNotification(kind, {
    description,
    payload,
    text: ({ request_id, topic }) => ({ title: `${title}: ${topic}`, body, path: `/experts/requests/${request_id}` }),
    channels: { in_app: true, email: true },
    canBeDisabled: true,
  })

const requestAssigned = defineRequestNotification(
  'expert_request.assigned',
  'a request was assigned to you as an expert',
  'New request',
  'A colleague asks for your help. Accept, answer or decline the request.',
)
const requestReopened = defineRequestNotification(
  'expert_request.reopened',
  'a request that you answered was reopened',
  'Reopened request',
  'The requester needs more than your answer.',
)
const requestAnswered = defineRequestNotification(
  'expert_request.answered',
  'an expert answered your request',
  'Answered request',
  'Read the answer, then close, rate or reopen the request.',
)
const requestUnassigned = defineRequestNotification(
  'expert_request.unassigned',
  'no expert is available for a request',
  'Request without an expert',
  'All experts on the topic are busy, away or have declined. Assign the request, or add an expert.',
)
const requestBreached = defineRequestNotification(
  'expert_request.sla_breached',
  'a request got no response in time',
  'Late request',
  'No expert has responded to the request in time.',
)
const requestReminder = defineRequestNotification(
  'expert_request.reminder',
  'a request that you accepted is due',
  'Request due',
  'The request that you accepted has no answer yet. Answer it, or decline it with a note.',
)
const requestOverdue = defineRequestNotification(
  'expert_request.overdue',
  'an accepted request has no answer a working day after its expert was reminded',
  'Overdue request',
  'The expert was reminded and has not answered. Ask the expert, or assign the request to another one.',
)

type Notified = Pick<RequestRow, 'id' | 'topic' | 'due_at' | 'requester_id' | 'expert_user_id' | 'declined_by'>

async function notifyAbout(
  tx: TenantTx,
  userIds: readonly string[],
  { kind, request, dedupeKey }: { kind: NotificationKind<typeof payload>; request: Notified; dedupeKey?: string },
): Promise<void> {
  if (actorOf(tx).origin === 'sample') return
  const { id, topic } = request
  for (const userId of userIds)
    await notify(
      tx,
      userId,
      kind,
      { request_id: id, topic },
      { resource: { type: 'expert_request', id }, ...(dedupeKey && { dedupeKey }) },
    )
}

const expertOf = ({ expert_user_id }: Notified) => (expert_user_id === null ? [] : [expert_user_id])

export const notifyAssigned = (tx: TenantTx, request: Notified): Promise<void> =>
  notifyAbout(tx, expertOf(request), { kind: requestAssigned, request })

export const notifyReopened = (tx: TenantTx, request: Notified): Promise<void> =>
  notifyAbout(tx, expertOf(request), { kind: requestReopened, request })

export const notifyAnswered = (tx: TenantTx, request: Notified): Promise<void> =>
  notifyAbout(tx, [request.requester_id], { kind: requestAnswered, request })

export const notifyUnassigned = async (tx: TenantTx, request: Notified): Promise<void> =>
  notifyAbout(tx, await listManagerIdsToNotify(tx), {
    kind: requestUnassigned,
    request,
    dedupeKey: `unassigned:${request.id}:${request.declined_by.length}`,
  })

export const notifyReminder = (tx: TenantTx, request: Notified): Promise<void> =>
  notifyAbout(tx, expertOf(request), { kind: requestReminder, request })

export const notifyOverdue = async (tx: TenantTx, request: Notified): Promise<void> =>
  notifyAbout(tx, await listManagerIdsToNotify(tx), { kind: requestOverdue, request })

export const notifyBreached = async (tx: TenantTx, request: Notified): Promise<void> =>
  notifyAbout(tx, await listManagerIdsToNotify(tx), {
    kind: requestBreached,
    request,
    dedupeKey: `breach:${request.id}:${request.due_at.toISOString()}`,
  })
