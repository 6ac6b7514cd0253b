import { type Insertable, sql } from 'kysely'
import { Type } from 'typebox'
import { afterCursor, type Database, type TenantTx, toPage, totalOf } from '#platform/db'
import { Id, type PageQuery } from '#platform/schema'

type History = Database['crm.opportunity_stage_history']

export async function insertStep(tx: TenantTx, step: Insertable<History>): Promise<void> {
  await tx.insertInto('crm.opportunity_stage_history').values(step).execute()
}

/** Microseconds, since a Date would lose some of it. */
const SortKey = Type.Tuple([Type.Integer({ minimum: 0, maximum: 9e15 }), Id])

/** The steps a deal has made, the newest first. */
export async function listSteps(tx: TenantTx, opportunityId: string, page: PageQuery) {
  const all = tx.selectFrom('crm.opportunity_stage_history').where('opportunity_id', '=', opportunityId)
  let rows = all
    .select(['id', 'from_key', 'to_key', 'amount_base_minor', 'close_on', 'actor_user_id', 'at', 'seconds_in_previous'])
    .select(sql<number>`(extract(epoch from at) * 1000000)::bigint`.as('micros'))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
  if (page.cursor) {
    const [micros, id] = afterCursor(page.cursor, SortKey)
    rows = rows.where(
      sql<boolean>`(at, id) < (timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::uuid)`,
    )
  } else rows = rows.offset(page.offset)
  return toPage(await rows.execute(), await totalOf(tx, all, page), page, ({ micros, id }) => [micros, id])
}
