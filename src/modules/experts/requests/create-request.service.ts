import { timezoneOf } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { lockExperts } from '../records/experts.queries.ts'
import { presentRequest } from './present-requests.service.ts'
import { recordRequestChange } from './record-change.service.ts'
import { assertAssignableExpert, assertVisibleContent, resolveRecords } from './request-references.service.ts'
import { insertRequest } from './requests.queries.ts'
import { dueAt } from './requests.rules.ts'
import type { ExpertRequest, NewExpertRequest } from './requests.schemas.ts'
import { assignRequest, readCandidates, routeRequest } from './routing.service.ts'

export async function createExpertRequest(
  tx: TenantTx,
  actor: UserActor,
  { expert_id, account_id, opportunity_id, priority = 'normal', ...input }: NewExpertRequest,
  { now }: { now: Date },
): Promise<ExpertRequest> {
  const records = await resolveRecords(tx, { account_id, opportunity_id })
  await assertVisibleContent(tx, 'content_item_ids', input.content_item_ids)
  const locked = await lockExperts(tx, expert_id ? { ids: [expert_id] } : { topics: [input.topic] })
  const candidates = await readCandidates(tx, locked)
  const chosen = expert_id ? assertAssignableExpert(candidates[0], actor.userId) : undefined
  const request = await insertRequest(tx, {
    ...input,
    ...records,
    id: newId(),
    requester_id: actor.userId,
    priority,
    is_direct: chosen !== undefined,
    status: 'open',
    clock_started_at: now,
    due_at: dueAt(now, priority, await timezoneOf(tx)),
    created_at: now,
    updated_at: now,
  })
  await recordRequestChange(tx, 'created', { after: request, now })
  const routed = chosen
    ? await assignRequest(tx, request, chosen, { now })
    : await routeRequest(tx, request, candidates, { now })
  return await presentRequest(tx, routed)
}
