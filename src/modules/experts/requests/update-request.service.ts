import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { assertVersion, notFound } from '#platform/errors'
import { lockExperts } from '../records/experts.queries.ts'
import type { Candidate } from '../records/experts.rules.ts'
import { listRequestRows } from './list-requests.queries.ts'
import { presentRequest, presentRequests } from './present-requests.service.ts'
import { assertAssignableExpert } from './request-references.service.ts'
import type { RequestRow } from './request-row.ts'
import {
  acceptRequest,
  answerRequest,
  cancelRequest,
  changePriority,
  closeRequest,
  correctAnswer,
  declineRequest,
  rateRequest,
  reopenRequest,
  type StepContext,
} from './request-steps.service.ts'
import { getRequest, lockRequest, wasAssignedTo } from './requests.queries.ts'
import { assertCanAssign, assertOneStep, assertOwnFields, partiesOf, type Step, stepTo } from './requests.rules.ts'
import type { ExpertRequest, ExpertRequestChanges, ExpertRequestQuery } from './requests.schemas.ts'
import { assignRequest, readCandidates } from './routing.service.ts'

export async function listExpertRequests(
  tx: TenantTx,
  actor: UserActor,
  query: ExpertRequestQuery,
): Promise<Page<ExpertRequest>> {
  const page = await listRequestRows(tx, actor, query)
  return { ...page, items: await presentRequests(tx, page.items) }
}

const stepFunctions: Record<Step, (tx: TenantTx, request: RequestRow, context: StepContext) => Promise<RequestRow>> = {
  accept: acceptRequest,
  answer: answerRequest,
  close: closeRequest,
  reopen: reopenRequest,
  cancel: cancelRequest,
}

type UpdateInput = { changes: ExpertRequestChanges; expectedVersion?: number; now: Date }

export async function updateExpertRequest(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { changes, expectedVersion, now }: UpdateInput,
): Promise<ExpertRequest> {
  const seen = await getRequest(tx, id)
  await assertVisible(tx, actor, seen)
  const experts = await lockInvolvedExperts(tx, seen, changes)
  const request = await lockRequest(tx, id)
  assertVersion(request, expectedVersion)
  const parties = partiesOf(request, actor)
  assertOwnFields(changes, parties)
  assertOneStep(changes)
  const context = { changes, experts, userId: actor.userId, now }
  const { status, decline, expert_id, answer, answer_content_item_ids, priority, rating, rating_comment } = changes
  let current = request
  if (decline) current = await declineRequest(tx, current, context)
  if (expert_id) current = await assignChosenExpert(tx, current, context)
  if (status) current = await stepFunctions[stepTo(request, status, parties)](tx, current, context)
  else if (answer ?? answer_content_item_ids) current = await correctAnswer(tx, current, context)
  if (priority) current = await changePriority(tx, current, context)
  if (rating !== undefined || rating_comment !== undefined) current = await rateRequest(tx, current, context)
  return await presentRequest(tx, current)
}

/** Former experts still see a request, because it is part of their work. */
async function assertVisible(tx: TenantTx, actor: UserActor, request: RequestRow): Promise<void> {
  const { isExpert, isRequester } = partiesOf(request, actor)
  if (isExpert || isRequester || isManagerOrAdmin(actor.role)) return
  if (!(await wasAssignedTo(tx, request.id, actor.userId))) throw notFound('request')
}

/** Experts are locked before requests: those who can get the request, and the one whose ratings change. */
async function lockInvolvedExperts(
  tx: TenantTx,
  { topic, expert_id: currentId }: RequestRow,
  { status, decline, expert_id, rating }: ExpertRequestChanges,
): Promise<Candidate[]> {
  const mayReopen = status === 'in_progress'
  const ids = [
    ...(expert_id ? [expert_id] : []),
    ...(currentId && (mayReopen || rating !== undefined) ? [currentId] : []),
  ]
  const topics = decline || mayReopen ? [topic] : []
  return ids.length || topics.length ? await readCandidates(tx, await lockExperts(tx, { topics, ids })) : []
}

async function assignChosenExpert(
  tx: TenantTx,
  request: RequestRow,
  { changes, experts, now }: StepContext,
): Promise<RequestRow> {
  const chosen = experts.find(({ id }) => id === changes.expert_id)
  const expert = assertAssignableExpert(chosen, request.requester_id)
  assertCanAssign(request)
  return expert.id === request.expert_id ? request : await assignRequest(tx, request, expert, { now })
}
