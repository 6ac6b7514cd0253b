import { findUserNames, toUserReference } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { RequestRow } from './request-row.ts'
import { listRequestEvents } from './requests.queries.ts'
import type { ExpertRequest } from './requests.schemas.ts'

export async function presentRequests(tx: TenantTx, rows: readonly RequestRow[]): Promise<ExpertRequest[]> {
  const events = await listRequestEvents(
    tx,
    rows.map(({ id }) => id),
  )
  const names = await findUserNames(tx, [
    ...rows.flatMap(({ requester_id, expert_user_id }) => [requester_id, expert_user_id ?? []].flat()),
    ...events.flatMap(({ actor_id, expert_user_id }) => [actor_id ?? [], expert_user_id ?? []].flat()),
  ])
  const eventsOf = Map.groupBy(events, ({ request_id }) => request_id)
  return rows.map((row) => {
    const { clock_started_at: _, declined_by: __, next_check_at: ___, expert_user_id, ...request } = row
    return {
      ...request,
      requester: toUserReference(names, row.requester_id),
      expert: toUserReference(names, expert_user_id),
      events: (eventsOf.get(row.id) ?? []).map((event) => ({
        kind: event.kind,
        actor: toUserReference(names, event.actor_id),
        expert: toUserReference(names, event.expert_user_id),
        note: event.note,
        from_status: event.from_status,
        to_status: event.to_status,
        created_at: event.created_at,
      })),
    }
  })
}

export async function presentRequest(tx: TenantTx, row: RequestRow): Promise<ExpertRequest> {
  const [request] = await presentRequests(tx, [row])
  return request!
}
