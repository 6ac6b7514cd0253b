import { sql } from 'kysely'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { type Condition, type Page, readPage, type SortOrders, sortOrderOf, type TenantTx } from '#platform/db'
import { type RequestRow, requestColumns } from './request-row.ts'
import type { ExpertRequestQuery } from './requests.schemas.ts'

const table = 'enablement.expert_requests'
const column = (name: string) => sql.ref(`${table}.${name}`)

/** Open requests by due time, then the others, the newest first. */
const orders: SortOrders = { due_at: { by: { list_order: 'integer' } } }

export async function listRequestRows(
  tx: TenantTx,
  actor: UserActor,
  query: ExpertRequestQuery,
): Promise<Page<RequestRow>> {
  const { limit, offset, cursor, count, sort = 'due_at', ...filters } = query
  const { status, breached, topic } = filters
  const conditions: Condition[] = []
  if (topic) conditions.push(sql`${column('topic')} = ${topic}`)
  if (breached !== undefined)
    conditions.push(
      breached ? sql`${column('sla_breached_at')} is not null` : sql`${column('sla_breached_at')} is null`,
    )
  const statuses: Condition[][] = status
    ? [...new Set(status)].map((value) => [sql`${column('status')} = ${value}`])
    : [[]]
  const plan = {
    table,
    columns: requestColumns,
    order: sortOrderOf(orders, sort),
    scans: visibleScans(actor, filters).flatMap((scan) =>
      statuses.map((ofStatus) => ({ conditions: [...scan, ...ofStatus, ...conditions] })),
    ),
    filters,
    plansForValues: conditions.length > 0,
  }
  return await readPage<RequestRow>(tx, plan, { limit, offset, cursor, count })
}

type Filters = Pick<ExpertRequestQuery, 'my_requests' | 'my_incoming'>

/** Requests that the caller may see, as index scans that do not overlap. */
function visibleScans({ userId, role }: UserActor, { my_requests, my_incoming }: Filters): Condition[][] {
  const isOwn: Condition = sql`${column('requester_id')} = ${userId}::uuid`
  const isIncoming: Condition[] = [
    sql`${column('expert_user_id')} = ${userId}::uuid`,
    sql`${column('requester_id')} <> ${userId}::uuid`,
  ]
  if (my_requests || my_incoming) return [...(my_requests ? [[isOwn]] : []), ...(my_incoming ? [isIncoming] : [])]
  if (isManagerOrAdmin(role)) return [[]]
  const wasIncoming: Condition[] = [
    sql`${column('id')} = any (array(select request_id from enablement.expert_request_events
      where expert_user_id = ${userId}::uuid))`,
    sql`${column('expert_user_id')} is distinct from ${userId}::uuid`,
    sql`${column('requester_id')} <> ${userId}::uuid`,
  ]
  return [[isOwn], isIncoming, wasIncoming]
}
