import { type Insertable, sql, type Updateable } from 'kysely'
import { Type } from 'typebox'
import {
  acquireAdvisoryLock,
  type Database,
  decodeCursor,
  directionOf,
  planForValues,
  type TenantTx,
  toPage,
  totalOf,
} from '#platform/db'
import { notFound } from '#platform/errors'
import { Id } from '#platform/schema'
import type { WebhookEndpointFilter } from './webhook-endpoints.schemas.ts'

const shownColumns = [
  'id',
  'url',
  'description',
  'event_types',
  'status',
  'disabled_reason',
  'breaker',
  'next_probe_at',
  'consecutive_failures',
  'first_failure_at',
  'last_success_at',
  'rate_per_second',
  'previous_secret_valid_until',
  'created_by',
  'owner_id',
  'created_at',
  'updated_at',
  'version',
] as const
export const endpointColumns = [
  ...shownColumns,
  'excluded_resources',
  'probes',
  'warned_at',
  'secret',
  'secret_kid',
  'previous_secret',
  'previous_secret_kid',
] as const

/** An imported endpoint gets the defaults of these columns: it is disabled and has no secret. */
export const unexportedEndpointColumns = [
  'status',
  'disabled_reason',
  'breaker',
  'probes',
  'next_probe_at',
  'consecutive_failures',
  'first_failure_at',
  'last_success_at',
  'warned_at',
  'lease_id',
  'leased_until',
  'secret',
  'secret_kid',
  'previous_secret',
  'previous_secret_kid',
  'previous_secret_valid_until',
]

const SortKey = Type.Tuple([Id])

export type EndpointRow = Awaited<ReturnType<typeof getEndpointRow>>
export type ShownEndpointRow = Pick<EndpointRow, (typeof shownColumns)[number]>

/** Serializes changes of the endpoints of a workspace, so that the limit and the opt-in to events are exact. */
export async function lockWebhookEndpoints(tx: TenantTx): Promise<void> {
  await acquireAdvisoryLock(tx, 'webhook_endpoints')
}

const selectEndpoint = (tx: TenantTx, id: string) =>
  tx.selectFrom('operations.webhook_endpoints').select(endpointColumns).where('id', '=', id)

export const getEndpointRow = (tx: TenantTx, id: string) =>
  selectEndpoint(tx, id).executeTakeFirstOrThrow(() => notFound('webhook endpoint'))

export const lockEndpoint = (tx: TenantTx, id: string) =>
  selectEndpoint(tx, id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('webhook endpoint'))

export const findLockedEndpoint = (tx: TenantTx, id: string) => selectEndpoint(tx, id).forUpdate().executeTakeFirst()

export async function listEndpointRows(tx: TenantTx, { status, sort, ...page }: WebhookEndpointFilter) {
  const order = directionOf(sort, '-created_at')
  let endpoints = tx.selectFrom('operations.webhook_endpoints')
  if (status) {
    await planForValues(tx)
    endpoints = endpoints.where('status', '=', status)
  }
  let pageQuery = endpoints
    .select(shownColumns)
    .orderBy('id', order.direction)
    .limit(page.limit + 1)
  if (page.cursor) pageQuery = pageQuery.where('id', order.after, decodeCursor(page.cursor, SortKey, order)[0])
  else pageQuery = pageQuery.offset(page.offset)
  return toPage(await pageQuery.execute(), await totalOf(tx, endpoints, page), page, ({ id }) => [id], order)
}

export const listEndpointRowsById = (tx: TenantTx, ids: readonly string[]) =>
  tx
    .selectFrom('operations.webhook_endpoints')
    .select(shownColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()

export const listEnabledEndpoints = (tx: TenantTx) =>
  tx
    .selectFrom('operations.webhook_endpoints')
    .select(['id', 'event_types', 'excluded_resources', 'next_probe_at'])
    .where('status', '=', 'enabled')
    .orderBy('id')
    .execute()

export const lockEndpointsOfOwner = (tx: TenantTx, userId: string) =>
  tx
    .selectFrom('operations.webhook_endpoints')
    .select(endpointColumns)
    .where(sql<string>`coalesce(owner_id, created_by)`, '=', userId)
    .where('status', '=', 'enabled')
    .orderBy('id')
    .forUpdate()
    .execute()

export async function countEndpoints(tx: TenantTx): Promise<{ all: number; enabled: number }> {
  return await tx
    .selectFrom('operations.webhook_endpoints')
    .select([sql<number>`count(*)`.as('all'), sql<number>`count(*) filter (where status = 'enabled')`.as('enabled')])
    .executeTakeFirstOrThrow()
}

export async function insertEndpoint(
  tx: TenantTx,
  endpoint: Insertable<Database['operations.webhook_endpoints']>,
): Promise<EndpointRow> {
  return await tx
    .insertInto('operations.webhook_endpoints')
    .values(endpoint)
    .returning(endpointColumns)
    .executeTakeFirstOrThrow()
}

export async function updateEndpointRow(
  tx: TenantTx,
  id: string,
  changes: Updateable<Database['operations.webhook_endpoints']>,
): Promise<EndpointRow> {
  return await tx
    .updateTable('operations.webhook_endpoints')
    .set(changes)
    .where('id', '=', id)
    .returning(endpointColumns)
    .executeTakeFirstOrThrow()
}

export async function deleteEndpointRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('operations.webhook_endpoints').where('id', '=', id).execute()
}

type SkippedRange = { endpointId: string; untilId: string; now: Date; limit: number }

export async function markPendingSkipped(tx: TenantTx, { endpointId, untilId, now, limit }: SkippedRange) {
  const { numAffectedRows = 0n } = await sql`
    update operations.webhook_deliveries set state = 'skipped', next_attempt_at = null, finished_at = ${now}
    where state = 'pending' and id = any(array(
      select id from operations.webhook_deliveries
      where endpoint_id = ${endpointId} and state = 'pending' and id <= ${untilId} order by next_attempt_at, id limit ${limit}))
  `.execute(tx)
  return Number(numAffectedRows)
}
