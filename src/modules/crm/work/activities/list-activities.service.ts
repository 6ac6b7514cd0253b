import { findUserNames, toUserReference } from '#modules/identity'
import type { Page, TenantTx } from '#platform/db'
import { type ActivityRow, listActivityRows, type ParentKind } from './activities.queries.ts'
import type { Activity, ActivityQuery } from './activities.schemas.ts'
import { getActivityParent } from './activity-parents.service.ts'

export type TimelineRef = { kind: ParentKind; id: string }

export async function listActivities(
  tx: TenantTx,
  { kind, id }: TimelineRef,
  query: ActivityQuery,
): Promise<Page<Activity>> {
  await getActivityParent(tx, kind, id)
  const { items, ...page } = await listActivityRows(tx, kind, id, query)
  return { ...page, items: await showActivities(tx, items) }
}

export const toActivityDetails = async (tx: TenantTx, row: ActivityRow): Promise<Activity> =>
  (await showActivities(tx, [row]))[0]!

export async function showActivities(tx: TenantTx, rows: readonly ActivityRow[]): Promise<Activity[]> {
  const ids = rows.flatMap(({ actor_user_id, assignee_id }) => [actor_user_id ?? [], assignee_id ?? []].flat())
  const names = await findUserNames(tx, ids)
  return rows.map((row) => ({
    ...(row as Omit<Activity, 'actor' | 'assignee'>),
    actor: toUserReference(names, row.actor_user_id),
    assignee: toUserReference(names, row.assignee_id),
  }))
}
