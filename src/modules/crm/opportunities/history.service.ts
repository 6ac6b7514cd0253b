import { namesOfUsers } from '#modules/identity'
import type { Page, TenantTx } from '#platform/db'
import { toMoney } from '#platform/money'
import type { PageQuery } from '#platform/schema'
import { baseCurrencyOf } from '../settings/crm-settings.queries.ts'
import { listSteps } from './history.queries.ts'
import { getOpportunity } from './opportunities.queries.ts'
import type { StageStep } from './opportunities.schemas.ts'

/** The stages a deal has been through, the newest first. */
export async function readHistory(tx: TenantTx, opportunityId: string, page: PageQuery): Promise<Page<StageStep>> {
  await getOpportunity(tx, opportunityId)
  const { items, ...rest } = await listSteps(tx, opportunityId, page)
  const base = await baseCurrencyOf(tx)
  const people = await namesOfUsers(
    tx,
    items.flatMap(({ actor_user_id }) => actor_user_id ?? []),
  )
  const steps = items.map(({ amount_base_minor: minor, actor_user_id: by, micros: _, ...step }) => ({
    ...step,
    amount_base: minor === null ? null : toMoney(minor, base),
    changed_by: by === null ? null : { id: by, name: people.get(by) ?? '' },
  }))
  return { ...rest, items: steps }
}
