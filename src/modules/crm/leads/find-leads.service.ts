import type { SignedIn } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { invalid, roleRequired } from '#platform/errors'
import type { Services } from '#platform/module'
import { readListRule } from '../lists/list-rule.service.ts'
import { leadFields } from './lead-fields.ts'
import type { LeadFilter } from './lead-filter.queries.ts'
import type { LeadQuery, LeadSummary } from './leads.schemas.ts'
import { listLeads } from './list-leads.queries.ts'
import { showLeads } from './show-leads.service.ts'

type Asking = Pick<Services, 'clock' | 'registry'>

const about = { objectType: 'lead', fields: leadFields }

/** Whom to call next, or whatever else is asked for. */
export async function findLeads(
  tx: TenantTx,
  actor: SignedIn,
  query: LeadQuery,
  services: Asking,
): Promise<Page<LeadSummary>> {
  const { limit, offset, cursor, count, sort } = query
  const filter = await readFilter(tx, actor, query, services)
  const { items, ...page } = await listLeads(tx, filter, { limit, offset, cursor, count, sort })
  return { ...page, items: await showLeads(tx, items, services.clock.now()) }
}

type Asked = Omit<LeadQuery, 'limit' | 'offset' | 'cursor' | 'count' | 'sort'>

/** Makes out who `me` is and what the rule says, and refuses what contradicts itself. */
export async function readFilter(
  tx: TenantTx,
  actor: SignedIn,
  { filter, owner_id, ...query }: Asked,
  services: Asking,
): Promise<LeadFilter> {
  const { unassigned, score_min, score_max, created_from, created_to, include_deleted } = query
  if (owner_id && unassigned)
    throw invalid('query', '/unassigned', 'contradiction', 'A lead has an owner or none. Ask for one of the two.')
  if (score_min !== undefined && score_max !== undefined && score_min > score_max)
    throw invalid('query', '/score_max', 'order', 'score_max is not less than score_min.')
  if (created_from && created_to && created_from > created_to)
    throw invalid('query', '/created_to', 'order', 'created_to is not before created_from.')
  if (include_deleted && actor.role !== 'admin' && actor.role !== 'manager')
    throw roleRequired('Only managers and admins may see what was deleted.')
  const owner = owner_id === 'me' ? actor.userId : owner_id
  const { status, lifecycle_stage, grade, source, search, tag } = query
  const rule = await readListRule(tx, actor, filter, about, services)
  return {
    ...{ status, lifecycle_stage, grade, source, search, tag, created_from, created_to },
    ...{ unassigned, score_min, score_max, include_deleted },
    owner_id: owner,
    rule,
  }
}
