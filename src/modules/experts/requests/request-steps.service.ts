import { timezoneOf } from '#modules/identity'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, invalid } from '#platform/errors'
import { emit } from '#platform/outbox'
import { expertRequestUpdated } from '../experts.events.ts'
import { addRating } from '../records/experts.queries.ts'
import type { Candidate } from '../records/experts.rules.ts'
import { recordRequestChange, toAuditValues } from './record-change.service.ts'
import { notifyAnswered, notifyReopened } from './request-notifications.ts'
import { assertVisibleContent } from './request-references.service.ts'
import type { RequestRow } from './request-row.ts'
import { updateRequestRow } from './requests.queries.ts'
import {
  assertCanDecline,
  assertCanRate,
  assertCanReopen,
  dueAt,
  isUnanswered,
  nextCheckAt,
  startClock,
} from './requests.rules.ts'
import type { ExpertRequestChanges } from './requests.schemas.ts'
import { routeRequest } from './routing.service.ts'

export type StepContext = { changes: ExpertRequestChanges; experts: readonly Candidate[]; userId: string; now: Date }

export async function acceptRequest(tx: TenantTx, request: RequestRow, { now }: StepContext): Promise<RequestRow> {
  const accepted = { ...request, status: 'in_progress' as const }
  const after = await updateRequestRow(tx, request.id, {
    status: 'in_progress',
    first_response_at: request.first_response_at ?? now,
    next_check_at: nextCheckAt(accepted, { from: now, timezone: await timezoneOf(tx) }),
  })
  await recordRequestChange(tx, 'accepted', { before: request, after, now })
  return after
}

export async function answerRequest(
  tx: TenantTx,
  request: RequestRow,
  { changes: { answer, answer_content_item_ids = [] }, now }: StepContext,
): Promise<RequestRow> {
  await assertVisibleContent(tx, 'answer_content_item_ids', answer_content_item_ids)
  const answered = { ...request, status: 'answered' as const, answered_at: now }
  const after = await updateRequestRow(tx, request.id, {
    status: 'answered',
    answer,
    answer_content_item_ids,
    answered_at: now,
    first_response_at: request.first_response_at ?? now,
    next_check_at: nextCheckAt(answered, { from: now, timezone: await timezoneOf(tx) }),
  })
  await recordRequestChange(tx, 'answered', { before: request, after, now })
  await notifyAnswered(tx, after)
  return after
}

export async function closeRequest(tx: TenantTx, request: RequestRow, { now }: { now: Date }): Promise<RequestRow> {
  const after = await updateRequestRow(tx, request.id, { status: 'closed', closed_at: now, next_check_at: null })
  await recordRequestChange(tx, 'closed', { before: request, after, now })
  return after
}

export async function cancelRequest(
  tx: TenantTx,
  request: RequestRow,
  { changes, now }: Pick<StepContext, 'changes' | 'now'>,
): Promise<RequestRow> {
  const after = await updateRequestRow(tx, request.id, { status: 'cancelled', next_check_at: null })
  await recordRequestChange(tx, 'cancelled', { before: request, after, note: changes.note, now })
  return after
}

/** Asks the same expert again, or another one if that expert is no longer active. Removes the rating of the former answer. */
export async function reopenRequest(tx: TenantTx, request: RequestRow, context: StepContext): Promise<RequestRow> {
  const { changes, experts, now } = context
  assertCanReopen(request, changes.note, now)
  await replaceRating(tx, request, null, context)
  const timezone = await timezoneOf(tx)
  const clock = startClock(now, request.priority, timezone)
  const after = await updateRequestRow(tx, request.id, {
    ...clock,
    status: 'in_progress',
    reopen_count: request.reopen_count + 1,
    answered_at: null,
    closed_at: null,
    rating: null,
    rating_comment: null,
    next_check_at: nextCheckAt({ ...request, ...clock, status: 'in_progress' }, { from: now, timezone }),
  })
  await recordRequestChange(tx, 'reopened', { before: request, after, note: changes.note, now })
  const expert = experts.find(({ id }) => id === request.expert_id)
  if (!expert?.is_active || !expert.isUserActive) return await routeRequest(tx, after, experts, { now })
  await notifyReopened(tx, after)
  return after
}

export async function declineRequest(
  tx: TenantTx,
  request: RequestRow,
  { changes: { note }, experts, userId, now }: StepContext,
): Promise<RequestRow> {
  assertCanDecline(request)
  const declined = await updateRequestRow(tx, request.id, {
    declined_by: [...new Set([...request.declined_by, userId])],
  })
  await recordRequestChange(tx, 'declined', { before: request, after: declined, note, now })
  return await routeRequest(tx, declined, experts, { now })
}

async function recordUpdate(tx: TenantTx, before: RequestRow, after: RequestRow, changed: string[]): Promise<void> {
  const values = { before: toAuditValues(before), after: toAuditValues(after) }
  await recordAudit(tx, 'expert_request.updated', { id: after.id, label: after.topic, ...values })
  await emit(tx, expertRequestUpdated, after, { changed })
}

export async function correctAnswer(
  tx: TenantTx,
  request: RequestRow,
  { changes: { answer, answer_content_item_ids } }: StepContext,
): Promise<RequestRow> {
  if (request.status !== 'answered')
    throw invalid('body', '/answer', 'not_allowed', '`answer` must be sent with the status `answered`.')
  await assertVisibleContent(tx, 'answer_content_item_ids', answer_content_item_ids)
  const fields = {
    ...(answer !== undefined && { answer }),
    ...(answer_content_item_ids && { answer_content_item_ids }),
  }
  const after = await updateRequestRow(tx, request.id, fields)
  await recordUpdate(tx, request, after, Object.keys(fields))
  return after
}

export async function changePriority(
  tx: TenantTx,
  request: RequestRow,
  { changes, now }: StepContext,
): Promise<RequestRow> {
  const priority = changes.priority!
  if (priority === request.priority) return request
  if (!isUnanswered(request)) throw conflict('conflict', 'The priority of an answered or cancelled request is fixed.')
  const timezone = await timezoneOf(tx)
  const due_at = dueAt(request.clock_started_at, priority, timezone)
  const changed = { ...request, priority, due_at, expert_reminded_at: null }
  const after = await updateRequestRow(tx, request.id, {
    priority,
    due_at,
    expert_reminded_at: null,
    next_check_at: nextCheckAt(changed, { from: now, timezone }),
  })
  await recordUpdate(tx, request, after, ['priority', 'due_at'])
  return after
}

export async function rateRequest(tx: TenantTx, request: RequestRow, context: StepContext): Promise<RequestRow> {
  const { rating = request.rating, rating_comment = request.rating_comment } = context.changes
  assertCanRate(request, context.now)
  if (rating === null) throw invalid('body', '/rating', 'required', '`rating` is required with `rating_comment`.')
  await replaceRating(tx, request, rating, context)
  const after = await updateRequestRow(tx, request.id, { rating, rating_comment })
  await recordUpdate(tx, request, after, ['rating', 'rating_comment'])
  return after
}

async function replaceRating(
  tx: TenantTx,
  { expert_id, rating: former }: RequestRow,
  rating: number | null,
  { experts }: StepContext,
): Promise<void> {
  if (expert_id === null || rating === former) return
  if (!experts.some(({ id }) => id === expert_id))
    throw conflict('conflict', 'The expert of the request changed at the same time. Repeat the request.')
  const count = Number(rating !== null) - Number(former !== null)
  await addRating(tx, expert_id, { sum: (rating ?? 0) - (former ?? 0), count })
}
