import type { HomeContext } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { toLeadSummaries } from '../../people/leads/lead-details.service.ts'
import { getLeadKpisOfOwner } from '../analytics/get-lead-kpis.service.ts'
import { type HomeLeads, maxHomeItems } from './home.schemas.ts'
import { listAwaitingLeadRows } from './home-leads.queries.ts'

export async function getHomeLeads(
  tx: TenantTx,
  { userId }: UserActor,
  { now, general: { timezone } }: HomeContext,
): Promise<HomeLeads> {
  const [kpis, items] = await Promise.all([
    getLeadKpisOfOwner(tx, userId, { today: dayInTimezone(now, timezone), now }),
    listAwaitingLeadRows(tx, userId, maxHomeItems).then((rows) => toLeadSummaries(tx, rows, now)),
  ])
  return { ...kpis, items }
}
