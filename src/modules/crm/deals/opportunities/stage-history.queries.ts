import { type Insertable, sql } from 'kysely'
import { Type } from 'typebox'
import { type Database, decodeCursor, directionOf, orderingOf, type TenantTx, toPage, totalOf } from '#platform/db'
import { Id, type SortedPageQuery } from '#platform/schema'

type StageHistory = Database['crm.opportunity_stage_history']

export async function insertStageChange(tx: TenantTx, change: Insertable<StageHistory>): Promise<void> {
  await tx.insertInto('crm.opportunity_stage_history').values(change).execute()
}

/** Time in microseconds, which a Date cannot hold, and id. */
const SortKey = Type.Tuple([Type.Integer({ minimum: 0, maximum: 9e15 }), Id])

export async function listStageChangeRows(tx: TenantTx, opportunityId: string, { sort, ...page }: SortedPageQuery) {
  const order = directionOf(sort, '-at')
  const all = tx.selectFrom('crm.opportunity_stage_history').where('opportunity_id', '=', opportunityId)
  let rows = all
    .select(['id', 'from_key', 'to_key', 'amount_base_minor', 'close_on', 'actor_user_id', 'at', 'seconds_in_previous'])
    .select(sql<number>`(extract(epoch from at) * 1000000)::bigint`.as('micros'))
    .orderBy('at', order.direction)
    .orderBy('id', order.direction)
    .limit(page.limit + 1)
  if (page.cursor) {
    const [micros, id] = decodeCursor(page.cursor, SortKey, order)
    rows = rows.where(
      sql<boolean>`(at, id) ${orderingOf(order).after} (timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::uuid)`,
    )
  } else rows = rows.offset(page.offset)
  return toPage(await rows.execute(), await totalOf(tx, all, page), page, ({ micros, id }) => [micros, id], order)
}
