import { resolveOwnerId } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { invalid, roleRequired } from '#platform/errors'
import type { Services } from '#platform/module'
import { assertDateOrder } from '../../records/filters/list-filter.rules.ts'
import { parseListRule } from '../../records/filters/list-rule.service.ts'
import { leadFields } from '../lead-records/lead-fields.ts'
import type { LeadQuery, ListedLead } from '../lead-records/leads.schemas.ts'
import { toLeadSummaries, toListedLeads } from './lead-details.service.ts'
import type { LeadFilter } from './lead-filter.queries.ts'
import { listLeadRows, listLeadSummaryRows } from './list-leads.queries.ts'

type ListLeadsServices = Pick<Services, 'clock' | 'registry'>

const ruleVocabulary = { objectType: 'lead', fields: leadFields } as const

export async function listLeads(
  tx: TenantTx,
  actor: UserActor,
  query: LeadQuery,
  services: ListLeadsServices,
): Promise<Page<ListedLead>> {
  const { limit, offset, cursor, count, sort, fields } = query
  const filter = await parseLeadFilter(tx, actor, query, services)
  const pageQuery = { limit, offset, cursor, count, sort }
  const now = services.clock.now()
  if (fields === 'summary') {
    const { items, ...page } = await listLeadSummaryRows(tx, filter, pageQuery)
    return { ...page, items: await toLeadSummaries(tx, items, now) }
  }
  const { items, ...page } = await listLeadRows(tx, filter, pageQuery)
  return { ...page, items: await toListedLeads(tx, items, now) }
}

type LeadFilterQuery = Omit<LeadQuery, 'limit' | 'offset' | 'cursor' | 'count' | 'sort' | 'fields'>

/** Resolves `me`, parses the rule and rejects contradictory filters. */
export async function parseLeadFilter(
  tx: TenantTx,
  actor: UserActor,
  { filter, owner_id, segment_id, campaign_id, ...query }: LeadFilterQuery,
  services: ListLeadsServices,
): Promise<LeadFilter> {
  const { unassigned, score_min, score_max, created_from, created_to, include_deleted } = query
  if (owner_id && unassigned)
    throw invalid('query', '/unassigned', 'contradiction', '`unassigned` cannot be combined with `owner_id`.')
  if (score_min !== undefined && score_max !== undefined && score_min > score_max)
    throw invalid('query', '/score_max', 'order', '`score_max` must not be less than `score_min`.')
  assertDateOrder(created_from, created_to, 'created_')
  if (include_deleted && !isManagerOrAdmin(actor.role))
    throw roleRequired('Only managers and admins may list deleted leads.')
  const { status, lifecycle_stage, grade, source, search, tag } = query
  const rule = await parseListRule(tx, actor, filter, ruleVocabulary, services, { segment_id, campaign_id })
  return {
    status,
    lifecycle_stage,
    grade,
    source,
    search,
    tag,
    created_from,
    created_to,
    unassigned,
    score_min,
    score_max,
    include_deleted,
    owner_id: resolveOwnerId(owner_id, actor),
    rule,
  }
}
