import type { TenantTx } from '#platform/db'
import { defineRecordCheck, type IntegrityCheck, type Services } from '#platform/module'
import {
  findExpertsWithWrongRatings,
  findRequestsOfInactiveExperts,
  recountRatings,
} from '../expert-records/expert-ratings.queries.ts'
import { lockExperts } from '../expert-records/experts.queries.ts'
import { findRequest, lockRequest } from '../expert-requests/requests.queries.ts'
import { readCandidates, routeRequest } from '../expert-requests/routing.service.ts'

export const expertChecks = ({ clock }: Pick<Services, 'clock'>): IntegrityCheck[] => [
  defineRecordCheck({
    code: 'expert_rating_wrong',
    title: 'Expert whose ratings differ from the requests',
    severity: 'warning',
    hint: 'A repair counts the ratings again.',
    resourceType: 'expert',
    find: findExpertsWithWrongRatings,
    repair: recountRatings,
  }),
  defineRecordCheck({
    code: 'expert_request_inactive_expert',
    title: 'Request that waits for an inactive expert',
    severity: 'warning',
    hint: 'A repair gives the request to another expert.',
    resourceType: 'expert_request',
    find: findRequestsOfInactiveExperts,
    repair: (tx, ids) => rerouteFromInactive(tx, ids, clock.now()),
  }),
]

/** Locks all experts before the requests, as everywhere. */
async function rerouteFromInactive(tx: TenantTx, ids: readonly string[], now: Date): Promise<number> {
  const found = (await Promise.all(ids.map((id) => findRequest(tx, id)))).filter((request) => request !== undefined)
  const candidates = await readCandidates(
    tx,
    await lockExperts(tx, {
      topics: found.map(({ topic }) => topic),
      ids: found.flatMap(({ expert_id }) => expert_id ?? []),
    }),
  )
  let repaired = 0
  for (const { id } of found.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const request = await lockRequest(tx, id)
    const expert = candidates.find((candidate) => candidate.id === request.expert_id)
    if (request.status !== 'assigned' || expert?.is_active !== false) continue
    await routeRequest(tx, request, candidates, { note: 'Expert inactive', now })
    repaired++
  }
  return repaired
}
