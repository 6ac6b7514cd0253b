import type { TenantTx } from '#platform/db'
import { markEndpointDisabled } from '../webhook-endpoints/disable-endpoint.service.ts'
import { findLockedEndpoint, updateEndpointRow } from '../webhook-endpoints/webhook-endpoints.queries.ts'
import { maskUrl } from '../webhook-endpoints/webhook-endpoints.rules.ts'
import { applyAttempts, isDisablingDue, isWarningDue, nextAttemptAt } from './delivery.rules.ts'
import { type AttemptResult, updateAttemptedDeliveries } from './dispatch.queries.ts'
import { notifyAboutDisabling, notifyAboutFailures, notifyAboutGoneReceiver } from './endpoint-notifications.ts'
import type { AttemptOutcome } from './send-webhook.ts'

export type Attempted = { id: string; attempts: number; outcome: AttemptOutcome }

const isSuccess = ({ error }: AttemptOutcome): boolean => error === null

export function toLogEntry({ outcome, attempts }: Omit<Attempted, 'id'>): object {
  const { started_at, duration_ms, status, error } = outcome
  return { number: attempts + 1, started_at, duration_ms, status, error }
}

export function toAttemptResult(attempted: Attempted, random: () => number): AttemptResult {
  const { id, attempts, outcome } = attempted
  const { ended_at: now, retryAfterSeconds, status, error } = outcome
  const attempt = attempts + 1
  const retryAt = isSuccess(outcome) ? null : nextAttemptAt(attempt, { now, random, retryAfterSeconds })
  return {
    id,
    attempt,
    status,
    error,
    log_entry: toLogEntry(attempted),
    state: isSuccess(outcome) ? 'succeeded' : retryAt ? 'pending' : 'failed',
    next_attempt_at: retryAt,
    finished_at: retryAt ? null : now,
  }
}

/** Stores the results of a batch, in the order in which the attempts ended, and their effect on the endpoint. */
export async function storeResults(
  tx: TenantTx,
  endpointId: string,
  attempted: readonly Attempted[],
  { now, random }: { now: Date; random: () => number },
): Promise<void> {
  const endpoint = await findLockedEndpoint(tx, endpointId)
  if (!endpoint) return
  await updateAttemptedDeliveries(
    tx,
    attempted.map((attempt) => toAttemptResult(attempt, random)),
  )
  if (endpoint.status !== 'enabled') return

  const attempts = attempted.map(({ outcome }) => ({ isSuccess: isSuccess(outcome), ended_at: outcome.ended_at }))
  const health = applyAttempts(endpoint, attempts)
  const isWarned = isWarningDue(health, now)
  await updateEndpointRow(tx, endpointId, { ...health, ...(isWarned && { warned_at: now }) })

  const url = maskUrl(endpoint.url)
  if (attempted.some(({ outcome }) => outcome.status === 410)) {
    await markEndpointDisabled(tx, endpointId, { reason: 'gone', now })
    return await notifyAboutGoneReceiver(tx, { id: endpointId, url })
  }
  if (isDisablingDue(health, now)) {
    await markEndpointDisabled(tx, endpointId, { reason: 'failing', now })
    return await notifyAboutDisabling(tx, { id: endpointId, url })
  }
  if (isWarned) await notifyAboutFailures(tx, { id: endpointId, url })
}
