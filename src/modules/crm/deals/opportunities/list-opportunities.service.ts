import { baseCurrencyOf, listMemberIds, resolveOwnerId, timezoneOf } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { dayInTimezone } from '#platform/calendar'
import type { Page, TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import type { Services } from '#platform/module'
import { parseAmount } from '#platform/money'
import { getAccount } from '../../people/accounts/accounts.queries.ts'
import { getContact } from '../../people/contacts/contacts.queries.ts'
import { assertDateOrder } from '../../records/filters/list-filter.rules.ts'
import { parseListRule } from '../../records/filters/list-rule.service.ts'
import { listOpportunityRows, listOpportunitySummaryRows } from './list-opportunities.queries.ts'
import type { ListedOpportunity, OpportunityQuery } from './opportunities.schemas.ts'
import { toListedOpportunities, toOpportunitySummaries } from './opportunity-details.service.ts'
import { opportunityFields } from './opportunity-fields.ts'
import type { OpportunityFilter } from './opportunity-filter.queries.ts'

type ListServices = Pick<Services, 'clock' | 'registry'>

export async function listOpportunities(
  tx: TenantTx,
  actor: UserActor,
  { fields, limit, offset, cursor, count, sort, ...filters }: OpportunityQuery,
  services: ListServices,
): Promise<Page<ListedOpportunity>> {
  const filter = await parseFilter(tx, actor, filters, services)
  const [now, query] = [services.clock.now(), { limit, offset, cursor, count, sort }]
  if (fields === 'summary') {
    const { items, ...page } = await listOpportunitySummaryRows(tx, filter, query)
    return { ...page, items: await toOpportunitySummaries(tx, items, now) }
  }
  const { items, ...page } = await listOpportunityRows(tx, filter, query)
  return { ...page, items: await toListedOpportunities(tx, items, now) }
}

type RelatedQuery = Omit<OpportunityQuery, 'account_id' | 'contact_id'>

export async function listAccountOpportunities(
  tx: TenantTx,
  actor: UserActor,
  accountId: string,
  query: RelatedQuery,
  services: ListServices,
): Promise<Page<ListedOpportunity>> {
  const { id: account_id } = await getAccount(tx, accountId)
  return await listOpportunities(tx, actor, { ...query, account_id }, services)
}

export async function listContactOpportunities(
  tx: TenantTx,
  actor: UserActor,
  contactId: string,
  query: RelatedQuery,
  services: ListServices,
): Promise<Page<ListedOpportunity>> {
  const { id: contact_id } = await getContact(tx, contactId)
  return await listOpportunities(tx, actor, { ...query, contact_id }, services)
}

type OpportunityFilterQuery = Omit<OpportunityQuery, 'fields' | 'limit' | 'offset' | 'cursor' | 'count' | 'sort'>

async function parseFilter(
  tx: TenantTx,
  actor: UserActor,
  query: OpportunityFilterQuery,
  services: ListServices,
): Promise<OpportunityFilter> {
  const { filter, owner_id, amount_min, amount_max, overdue, ...plainFilters } = query
  assertDateOrder(plainFilters.close_from, plainFilters.close_to, 'close_')
  const minMinor = await toBaseMinor(tx, amount_min, '/amount_min')
  const maxMinor = await toBaseMinor(tx, amount_max, '/amount_max')
  if (minMinor !== undefined && maxMinor !== undefined && minMinor > maxMinor)
    throw invalid('query', '/amount_max', 'order', '`amount_max` must not be less than `amount_min`.')
  const vocabulary = { objectType: 'opportunity', fields: opportunityFields } as const
  return {
    ...plainFilters,
    owner_id: resolveOwnerId(owner_id, actor),
    member_ids: query.team_id === undefined ? undefined : await listMemberIds(tx, query.team_id),
    amount_min: minMinor,
    amount_max: maxMinor,
    overdue_on: overdue ? dayInTimezone(services.clock.now().getTime(), await timezoneOf(tx)) : undefined,
    rule: await parseListRule(tx, actor, filter, vocabulary, services),
  }
}

async function toBaseMinor(tx: TenantTx, amount: string | undefined, path: string): Promise<number | undefined> {
  return amount === undefined ? undefined : parseAmount(amount, await baseCurrencyOf(tx), { in: 'query', path })
}
