import type { SignedIn } from '#platform/access'
import { dayAt } from '#platform/clock'
import type { Page, TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import type { Services } from '#platform/module'
import { countMinor } from '#platform/money'
import { readListRule } from '../lists/list-rule.service.ts'
import { baseCurrencyOf, timezoneOf } from '../settings/crm-settings.queries.ts'
import { listOpportunities } from './list-opportunities.queries.ts'
import type { OpportunityQuery, OpportunitySummary } from './opportunities.schemas.ts'
import { opportunityFields } from './opportunity-fields.ts'
import type { OpportunityFilter } from './opportunity-filter.queries.ts'
import { showOpportunities } from './show-opportunities.service.ts'

type Asking = Pick<Services, 'clock' | 'registry'>

/** Deals, those that are due first. */
export async function findOpportunities(
  tx: TenantTx,
  actor: SignedIn,
  { limit, offset, cursor, count, sort, ...query }: OpportunityQuery,
  services: Asking,
): Promise<Page<OpportunitySummary>> {
  const filter = await readFilter(tx, actor, query, services)
  const { items, ...page } = await listOpportunities(tx, filter, { limit, offset, cursor, count, sort })
  return { ...page, items: await showOpportunities(tx, items, services.clock.now()) }
}

type Asked = Omit<OpportunityQuery, 'limit' | 'offset' | 'cursor' | 'count' | 'sort'>

async function readFilter(tx: TenantTx, actor: SignedIn, asked: Asked, services: Asking): Promise<OpportunityFilter> {
  const { filter, owner_id, amount_min, amount_max, overdue, ...plain } = asked
  if (plain.close_from && plain.close_to && plain.close_from > plain.close_to)
    throw invalid('query', '/close_to', 'order', 'close_to is not before close_from.')
  const least = await baseMinor(tx, amount_min, '/amount_min')
  const most = await baseMinor(tx, amount_max, '/amount_max')
  if (least !== undefined && most !== undefined && least > most)
    throw invalid('query', '/amount_max', 'order', 'amount_max is not less than amount_min.')
  const about = { objectType: 'opportunity', fields: opportunityFields }
  return {
    ...plain,
    owner_id: owner_id === 'me' ? actor.userId : owner_id,
    amount_min: least,
    amount_max: most,
    overdue_on: overdue ? dayAt(services.clock.now().getTime(), await timezoneOf(tx)) : undefined,
    rule: await readListRule(tx, actor, filter, about, services),
  }
}

async function baseMinor(tx: TenantTx, amount: string | undefined, path: string): Promise<number | undefined> {
  return amount === undefined ? undefined : countMinor(amount, await baseCurrencyOf(tx), { in: 'query', path })
}
