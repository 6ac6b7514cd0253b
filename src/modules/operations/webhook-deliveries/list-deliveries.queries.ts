import { sql } from 'kysely'
import { Type } from 'typebox'
import { decodeCursor, directionOf, type TenantTx, toPage, totalOf } from '#platform/db'
import { minIdAt } from '#platform/ids'
import { Id } from '#platform/schema'
import { deliveryColumns } from './webhook-deliveries.queries.ts'
import type { WebhookDeliveryFilter } from './webhook-deliveries.schemas.ts'

const SortKey = Type.Tuple([Id])

/** States are literals, because each partial index covers some of them. */
export async function listDeliveryRows(tx: TenantTx, endpointId: string, filter: WebhookDeliveryFilter) {
  const { state, event_type, from, to, sort, ...page } = filter
  const order = directionOf(sort, '-created_at')
  let deliveries = tx.selectFrom('operations.webhook_deliveries').where('endpoint_id', '=', endpointId)
  if (state)
    deliveries = deliveries.where(
      'state',
      'in',
      [...new Set(state)].sort().map((value) => sql.lit(value)),
    )
  if (event_type) deliveries = deliveries.where('event_type', '=', event_type)
  if (from) deliveries = deliveries.where('id', '>=', minIdAt(new Date(from)))
  if (to) deliveries = deliveries.where('id', '<', minIdAt(new Date(to)))

  let pageQuery = deliveries
    .select(deliveryColumns)
    .orderBy('id', order.direction)
    .limit(page.limit + 1)
  if (page.cursor) pageQuery = pageQuery.where('id', order.after, decodeCursor(page.cursor, SortKey, order)[0])
  else pageQuery = pageQuery.offset(page.offset)
  return toPage(await pageQuery.execute(), await totalOf(tx, deliveries, page), page, ({ id }) => [id], order)
}
