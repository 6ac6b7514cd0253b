import { findUserCards, timezoneOf } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { type ExpertRow, lockExperts, updateExpertRow } from '../records/experts.queries.ts'
import { type Candidate, canBeExpert, chooseExpert } from '../records/experts.rules.ts'
import { recordRequestChange } from './record-change.service.ts'
import { notifyAssigned, notifyUnassigned } from './request-notifications.ts'
import type { RequestRow } from './request-row.ts'
import {
  countOpenRequests,
  listOpenTopicsOfExpert,
  lockRequestsOfExpert,
  updateRequestRow,
} from './requests.queries.ts'
import { nextCheckAt, startClock } from './requests.rules.ts'

/** Adds the load to locked experts. It is counted after the lock, so that two requests cannot take the same place. */
export async function readCandidates(tx: TenantTx, experts: readonly ExpertRow[]): Promise<Candidate[]> {
  const [open, users] = await Promise.all([
    countOpenRequests(
      tx,
      experts.map(({ id }) => id),
    ),
    findUserCards(
      tx,
      experts.map(({ user_id }) => user_id),
    ),
  ])
  return experts.map((expert) => {
    const user = users.get(expert.user_id)
    return { ...expert, openCount: open.get(expert.id) ?? 0, isUserActive: user !== undefined && canBeExpert(user) }
  })
}

type Assignment = { note?: string | undefined; now: Date }

/** A request that had its first response waits for another one: its time begins again. */
function awaitResponse(request: RequestRow, now: Date, timezone: string): RequestRow {
  if (request.first_response_at === null) return request
  return { ...request, ...startClock(now, request.priority, timezone), first_response_at: null }
}

const toClockFields = ({ clock_started_at, due_at, expert_reminded_at, first_response_at }: RequestRow) => ({
  clock_started_at,
  due_at,
  expert_reminded_at,
  first_response_at,
})

/** Gives a request to an expert. Request and expert must be locked, or the request new. */
export async function assignRequest(
  tx: TenantTx,
  request: RequestRow,
  expert: Pick<ExpertRow, 'id' | 'user_id'>,
  { note, now }: Assignment,
): Promise<RequestRow> {
  const timezone = await timezoneOf(tx)
  const assigned = { ...awaitResponse(request, now, timezone), status: 'assigned' as const }
  const after = await updateRequestRow(tx, request.id, {
    status: 'assigned',
    expert_id: expert.id,
    expert_user_id: expert.user_id,
    ...toClockFields(assigned),
    next_check_at: nextCheckAt(assigned, { from: now, timezone }),
  })
  await updateExpertRow(tx, expert.id, { last_assigned_at: now })
  await recordRequestChange(tx, 'assigned', { before: request, after, note, now })
  await notifyAssigned(tx, after)
  return after
}

async function unassignRequest(tx: TenantTx, request: RequestRow, { note, now }: Assignment): Promise<RequestRow> {
  const timezone = await timezoneOf(tx)
  const open = { ...awaitResponse(request, now, timezone), status: 'open' as const }
  const next_check_at = nextCheckAt(open, { from: now, timezone })
  if (request.status === 'open') {
    // Other columns in the statement would count as a new version.
    const unchanged = await updateRequestRow(tx, request.id, { next_check_at })
    await notifyUnassigned(tx, unchanged)
    return unchanged
  }
  const after = await updateRequestRow(tx, request.id, {
    status: 'open',
    expert_id: null,
    expert_user_id: null,
    ...toClockFields(open),
    next_check_at,
  })
  await recordRequestChange(tx, 'unassigned', { before: request, after, note, now })
  await notifyUnassigned(tx, after)
  return after
}

/** Assigns a request to the best of the candidates, or leaves it open. Counts the assignment in the candidates. */
export async function routeRequest(
  tx: TenantTx,
  request: RequestRow,
  candidates: readonly Candidate[],
  assignment: Assignment,
): Promise<RequestRow> {
  const chosen = chooseExpert(candidates, request, assignment.now)
  if (!chosen) return await unassignRequest(tx, request, assignment)
  chosen.openCount++
  chosen.last_assigned_at = assignment.now
  return await assignRequest(tx, request, chosen, assignment)
}

/** Locks an expert together with those who can take over the requests. Returns the expert first. */
export async function lockExpertWithSubstitutes(
  tx: TenantTx,
  expertId: string,
): Promise<{ expert: ExpertRow | undefined; substitutes: ExpertRow[] }> {
  const locked = await lockExperts(tx, { topics: await listOpenTopicsOfExpert(tx, expertId), ids: [expertId] })
  return {
    expert: locked.find(({ id }) => id === expertId),
    substitutes: locked.filter(({ id }) => id !== expertId),
  }
}

type Handover = { substitutes: readonly ExpertRow[]; keepsAccepted: boolean; note: string; now: Date }

/** Gives the unanswered requests of a locked expert to others. Returns their number. */
export async function rerouteRequests(
  tx: TenantTx,
  expert: Pick<ExpertRow, 'id'>,
  { substitutes, keepsAccepted, note, now }: Handover,
): Promise<number> {
  const requests = (await lockRequestsOfExpert(tx, expert.id)).filter(
    ({ status }) => !(keepsAccepted && status === 'in_progress'),
  )
  const candidates = await readCandidates(tx, substitutes)
  for (const request of requests) await routeRequest(tx, request, candidates, { note, now })
  return requests.length
}
