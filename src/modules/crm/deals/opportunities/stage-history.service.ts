import { baseCurrencyOf, findUserNames, toUserReference } from '#modules/identity'
import type { Page, TenantTx } from '#platform/db'
import { toMoney } from '#platform/money'
import type { PageQuery } from '#platform/schema'
import { getOpportunity } from './opportunities.queries.ts'
import type { OpportunityStageChange } from './opportunities.schemas.ts'
import { listStageChangeRows } from './stage-history.queries.ts'

export async function listOpportunityStageHistory(
  tx: TenantTx,
  opportunityId: string,
  page: PageQuery,
): Promise<Page<OpportunityStageChange>> {
  await getOpportunity(tx, opportunityId)
  const { items, ...rest } = await listStageChangeRows(tx, opportunityId, page)
  const base = await baseCurrencyOf(tx)
  const userNames = await findUserNames(
    tx,
    items.flatMap(({ actor_user_id }) => actor_user_id ?? []),
  )
  const changes = items.map(({ amount_base_minor: minor, actor_user_id: by, micros: _, ...change }) => ({
    ...change,
    amount_base: minor === null ? null : toMoney(minor, base),
    changed_by: toUserReference(userNames, by),
  }))
  return { ...rest, items: changes }
}
