import { type Insertable, sql, type Updateable } from 'kysely'
import { type Database, listTenantsAsRetention, type SystemTx, selectRows, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { type RequestRow, requestColumns } from './request-row.ts'
import type { EventKind, RequestStatus } from './requests.schemas.ts'

type Requests = Database['enablement.expert_requests']

const selectRequest = (tx: TenantTx, id: string) =>
  tx.selectFrom('enablement.expert_requests').select(requestColumns).where('id', '=', id).$castTo<RequestRow>()

export const getRequest = (tx: TenantTx, id: string): Promise<RequestRow> =>
  selectRequest(tx, id).executeTakeFirstOrThrow(() => notFound('request'))

export const findRequest = (tx: TenantTx, id: string): Promise<RequestRow | undefined> =>
  selectRequest(tx, id).executeTakeFirst()

export const lockRequest = (tx: TenantTx, id: string): Promise<RequestRow> =>
  selectRequest(tx, id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('request'))

/** Returns undefined if another transaction holds the request. */
export const lockFreeRequest = (tx: TenantTx, id: string): Promise<RequestRow | undefined> =>
  selectRequest(tx, id).forNoKeyUpdate().skipLocked().executeTakeFirst()

const isWithExpert = sql<RequestStatus>`any(array['assigned', 'in_progress'])`

export const lockRequestsOfExpert = (tx: TenantTx, expertId: string): Promise<RequestRow[]> =>
  tx
    .selectFrom('enablement.expert_requests')
    .select(requestColumns)
    .where('expert_id', '=', expertId)
    .where('status', '=', isWithExpert)
    .orderBy('id')
    .forNoKeyUpdate()
    .$castTo<RequestRow>()
    .execute()

export async function listOpenTopicsOfExpert(tx: TenantTx, expertId: string): Promise<string[]> {
  const requests = await tx
    .selectFrom('enablement.expert_requests')
    .select('topic')
    .distinct()
    .where('expert_id', '=', expertId)
    .where('status', '=', isWithExpert)
    .execute()
  return requests.map(({ topic }) => topic)
}

export async function countOpenRequests(tx: TenantTx, expertIds: readonly string[]): Promise<Map<string, number>> {
  const counts = await tx
    .selectFrom('enablement.expert_requests')
    .select(['expert_id', sql<number>`count(*)::integer`.as('open')])
    .where('expert_id', '=', sql<string>`any(${expertIds}::uuid[])`)
    .where('status', '=', isWithExpert)
    .groupBy('expert_id')
    .execute()
  return new Map(counts.map(({ expert_id, open }) => [expert_id!, open]))
}

export async function readMedianResponses(
  tx: TenantTx,
  expertIds: readonly string[],
  since: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ expert_id: string; seconds: number }>`
    select request.expert_id, percentile_cont(0.5) within group
      (order by extract(epoch from request.first_response_at - assigned.created_at))::float8 as seconds
    from enablement.expert_requests request cross join lateral (
      select created_at from enablement.expert_request_events event
      where event.request_id = request.id and event.created_at <= request.first_response_at and event.kind = 'assigned'
        and event.expert_user_id = request.expert_user_id
      order by created_at desc, id desc limit 1) as assigned
    where request.expert_id = any (${expertIds}::uuid[]) and request.created_at >= ${since}
      and request.first_response_at is not null
    group by request.expert_id
  `.execute(tx)
  return new Map(rows.map(({ expert_id, seconds }) => [expert_id, Math.round(seconds)]))
}

export const insertRequest = (tx: TenantTx, request: Insertable<Requests>): Promise<RequestRow> =>
  tx
    .insertInto('enablement.expert_requests')
    .values(request)
    .returning(requestColumns)
    .$castTo<RequestRow>()
    .executeTakeFirstOrThrow()

export const updateRequestRow = (tx: TenantTx, id: string, fields: Updateable<Requests>): Promise<RequestRow> =>
  tx
    .updateTable('enablement.expert_requests')
    .set(fields)
    .where('id', '=', id)
    .returning(requestColumns)
    .$castTo<RequestRow>()
    .executeTakeFirstOrThrow()

export type NewRequestEvent = {
  id: string
  request_id: string
  actor_id: string | null
  kind: EventKind
  expert_user_id: string | null
  note: string | null
  from_status: RequestStatus | null
  to_status: RequestStatus
  created_at: Date
}

export async function insertRequestEvents(tx: TenantTx, events: readonly NewRequestEvent[]): Promise<void> {
  const { columns, rows } = selectRows(events, {
    id: 'uuid',
    request_id: 'uuid',
    actor_id: 'uuid',
    kind: 'text',
    expert_user_id: 'uuid',
    note: 'text',
    from_status: 'text',
    to_status: 'text',
    created_at: 'timestamptz',
  })
  await tx.insertInto('enablement.expert_request_events').columns(columns).expression(rows).execute()
}

const maxEvents = 50

/** The last events of each request, the oldest first. */
export async function listRequestEvents(tx: TenantTx, requestIds: readonly string[]): Promise<NewRequestEvent[]> {
  const { rows } = await sql<NewRequestEvent>`
    select event.* from unnest(${requestIds}::uuid[]) as request (id) cross join lateral (
      select id, request_id, actor_id, kind, expert_user_id, note, from_status, to_status, created_at
      from enablement.expert_request_events where request_id = request.id
      order by created_at desc, id desc limit ${sql.lit(maxEvents)}) as event
    order by event.created_at, event.id
  `.execute(tx)
  return rows
}

export async function wasAssignedTo(tx: TenantTx, requestId: string, userId: string): Promise<boolean> {
  const event = await tx
    .selectFrom('enablement.expert_request_events')
    .select('id')
    .where('expert_user_id', '=', userId)
    .where('request_id', '=', requestId)
    .limit(1)
    .executeTakeFirst()
  return event !== undefined
}

/** Open requests, those with the earliest due time first. */
export async function listOpenRequestIds(tx: TenantTx, limit: number): Promise<string[]> {
  const requests = await tx
    .selectFrom('enablement.expert_requests')
    .select('id')
    .where('status', '=', sql.lit('open'))
    .orderBy('list_order')
    .orderBy('id')
    .limit(limit)
    .execute()
  return requests.map(({ id }) => id)
}

export async function listRequestIdsToCheck(tx: TenantTx, now: Date, limit: number): Promise<string[]> {
  const requests = await tx
    .selectFrom('enablement.expert_requests')
    .select('id')
    .where('next_check_at', '<=', now)
    .orderBy('next_check_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return requests.map(({ id }) => id)
}

export const listTenantsToAdvance = (system: SystemTx, now: Date): Promise<string[]> =>
  listTenantsAsRetention(system, async (tx) => {
    const { rows } = await sql<{ tenant_id: string }>`
      select distinct tenant_id from enablement.expert_requests where next_check_at <= ${now}
    `.execute(tx)
    return rows.map(({ tenant_id }) => tenant_id)
  })
