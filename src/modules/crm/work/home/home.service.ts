import type { HomeContext } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { addDays, dayInTimezone, startOfDay } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { toLeadSummaries } from '../../people/leads/lead-details.service.ts'
import { countDueTasks } from '../activities/open-tasks.queries.ts'
import { listOpenTasks } from '../activities/open-tasks.service.ts'
import { getLeadKpisOfOwner } from '../analytics/get-lead-kpis.service.ts'
import { type HomeLeads, type HomeTasks, maxHomeItems } from './home.schemas.ts'
import { listAwaitingLeadRows } from './home-leads.queries.ts'

export async function getHomeTasks(
  tx: TenantTx,
  viewer: UserActor,
  { now, general: { timezone } }: HomeContext,
): Promise<HomeTasks> {
  const endOfDay = startOfDay(addDays(dayInTimezone(now, timezone), 1), timezone)
  const query = { assignee_id: 'me', open_tasks: true, limit: maxHomeItems, offset: 0, count: 'none' } as const
  const [counts, { items }] = await Promise.all([
    countDueTasks(tx, { assigneeId: viewer.userId, now, endOfDay }),
    listOpenTasks(tx, viewer, query),
  ])
  return { ...counts, items }
}

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
