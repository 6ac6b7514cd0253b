import type { TenantTx } from '#platform/db'
import { defineRecordCheck, type IntegrityCheck, type Services } from '#platform/module'
import {
  findExpertsWithWrongRatings,
  findExpertsWithWrongTopics,
  findRequestsOfInactiveExperts,
  findUnscheduledRequests,
  recountRatings,
  scheduleRequests,
} from '../records/expert-ratings.queries.ts'
import { lockExperts, replaceTopics } from '../records/experts.queries.ts'
import { findRequest, lockRequest } from '../requests/requests.queries.ts'
import { readCandidates, routeRequest } from '../requests/routing.service.ts'

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
  defineRecordCheck({
    code: 'expert_topics_wrong',
    title: 'Expert who is found by other topics than those of the profile',
    severity: 'warning',
    hint: 'A repair writes the topics of the profile again.',
    resourceType: 'expert',
    find: findExpertsWithWrongTopics,
    repair: rewriteTopics,
  }),
  defineRecordCheck({
    code: 'expert_request_unscheduled',
    title: 'Request that is never checked by the schedule',
    severity: 'warning',
    hint: 'A repair lets the next run of the schedule check the request.',
    resourceType: 'expert_request',
    find: findUnscheduledRequests,
    repair: (tx, ids) => scheduleRequests(tx, ids, clock.now()),
  }),
]

async function rewriteTopics(tx: TenantTx, ids: readonly string[]): Promise<number> {
  const experts = await lockExperts(tx, { ids })
  for (const { id, topics } of experts) await replaceTopics(tx, id, topics)
  return experts.length
}

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
