import { timezoneOf } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { lockExperts } from '../records/experts.queries.ts'
import { type Candidate, chooseExpert } from '../records/experts.rules.ts'
import { recordRequestChange } from './record-change.service.ts'
import { notifyBreached, notifyOverdue, notifyReminder } from './request-notifications.ts'
import type { RequestRow } from './request-row.ts'
import { closeRequest } from './request-steps.service.ts'
import { findRequest, lockFreeRequest, updateRequestRow } from './requests.queries.ts'
import { isBreached, nextCheckAt } from './requests.rules.ts'
import { assignRequest, readCandidates, routeRequest } from './routing.service.ts'

/**
 * Does what is due for a request: closes, records a missed response, routes it, or reminds of the answer. Skips a request that another transaction
 * holds, and does nothing when it is called again.
 */
export async function advanceRequest(tx: TenantTx, id: string, now: Date): Promise<boolean> {
  const seen = await findRequest(tx, id)
  if (!seen || !isDue(seen, now)) return false
  const isWaiting = seen.status === 'open' || seen.status === 'assigned'
  const experts = isWaiting ? await lockExperts(tx, { topics: [seen.topic] }) : []
  const request = await lockFreeRequest(tx, id)
  if (request?.status !== seen.status || !isDue(request, now)) return false
  if (request.status === 'answered') {
    await closeRequest(tx, request, { now })
    return true
  }
  if (request.status === 'in_progress') {
    await remindOfAnswer(tx, request, now)
    return true
  }
  const candidates = await readCandidates(tx, experts)
  const current = isBreached(request, now) ? await recordBreach(tx, request, now) : request
  if (current.status === 'open') await routeRequest(tx, current, candidates, { now })
  else if (current === request) await replaceLateExpert(tx, request, candidates, now)
  return true
}

const isDue = ({ next_check_at }: RequestRow, now: Date) => next_check_at !== null && next_check_at <= now

async function recordBreach(tx: TenantTx, request: RequestRow, now: Date): Promise<RequestRow> {
  const breached = { ...request, sla_breached_at: now }
  const after = await updateRequestRow(tx, request.id, {
    sla_breached_at: now,
    next_check_at: nextCheckAt(breached, { from: request.due_at, timezone: await timezoneOf(tx) }),
  })
  await recordRequestChange(tx, 'breached', { before: request, after, now })
  await notifyBreached(tx, after)
  return after
}

/** Reminds the expert of an accepted request, and the managers a working day later. */
async function remindOfAnswer(tx: TenantTx, request: RequestRow, now: Date): Promise<void> {
  if (request.expert_reminded_at !== null) {
    await notifyOverdue(tx, await updateRequestRow(tx, request.id, { next_check_at: null }))
    return
  }
  const reminded = { ...request, expert_reminded_at: now }
  const next_check_at = nextCheckAt(reminded, { from: now, timezone: await timezoneOf(tx) })
  await notifyReminder(tx, await updateRequestRow(tx, request.id, { expert_reminded_at: now, next_check_at }))
}

/** Gives a late request to another expert. It stays where it is if there is none. */
async function replaceLateExpert(
  tx: TenantTx,
  request: RequestRow,
  candidates: readonly Candidate[],
  now: Date,
): Promise<void> {
  const late = request.expert_user_id === null ? [] : [request.expert_user_id]
  const declined_by = [...new Set([...request.declined_by, ...late])]
  const chosen = chooseExpert(candidates, { ...request, declined_by }, now)
  if (!chosen) {
    const timezone = await timezoneOf(tx)
    await updateRequestRow(tx, request.id, { next_check_at: nextCheckAt(request, { from: now, timezone }) })
    return
  }
  const marked = await updateRequestRow(tx, request.id, { declined_by })
  await assignRequest(tx, marked, chosen, { now, note: 'No response in time' })
}

/** Tries to find an expert for an open request, before its next check is due. */
export async function routeOpenRequest(tx: TenantTx, id: string, now: Date): Promise<boolean> {
  const seen = await findRequest(tx, id)
  if (seen?.status !== 'open') return false
  const candidates = await readCandidates(tx, await lockExperts(tx, { topics: [seen.topic] }))
  if (!chooseExpert(candidates, seen, now)) return false
  const request = await lockFreeRequest(tx, id)
  if (request?.status !== 'open') return false
  await routeRequest(tx, request, candidates, { now })
  return true
}
