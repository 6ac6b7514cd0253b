import type { HomeContext } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { addDays, dayInTimezone, startOfDay } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { countDueTasks } from '../activities/open-tasks.queries.ts'
import { listOpenTasks } from '../activities/open-tasks.service.ts'
import { type HomeTasks, maxHomeItems } from './home.schemas.ts'

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
