import { type SqlBool, sql } from 'kysely'
import { Type } from 'typebox'
import { decodeCursor, directionOf, orderingOf, type Page, type TenantTx, toPage, totalOf } from '#platform/db'
import type { SortedPageQuery } from '#platform/schema'

export type EventNameRow = {
  name: string
  first_seen_at: Date
  events_in_30_days: number
  people_in_30_days: number
  last_seen_on: string | null
}
type NameFilter = { search?: string; generation: number; since: string }

/** The first text after all texts that begin with the prefix, in byte order. */
const endOfPrefix = (prefix: string): string => `${prefix}\u{10ffff}`

export async function listEventNameRows(
  tx: TenantTx,
  { search, generation, since }: NameFilter,
  query: SortedPageQuery,
): Promise<Page<EventNameRow>> {
  const order = directionOf(query.sort, 'name')
  let names = tx.selectFrom('plg.event_names')
  if (search) names = names.where('name', '>=', search).where('name', '<', endOfPrefix(search))
  let page = names
    .select(['name', 'first_seen_at'])
    .select([
      sql<number>`(select coalesce(sum(events), 0)::bigint from plg.event_days counted
        where counted.generation = ${generation} and counted.name = plg.event_names.name and counted.day >= ${since}::date)`.as(
        'events_in_30_days',
      ),
      sql<number>`(select count(distinct actor_id) from plg.actor_event_days counted
        where counted.generation = ${generation} and not counted.is_account and counted.name = plg.event_names.name
          and counted.day >= ${since}::date)`.as('people_in_30_days'),
      sql<string | null>`(select max(day) from plg.event_days counted
        where counted.generation = ${generation} and counted.name = plg.event_names.name)`.as('last_seen_on'),
    ])
    .orderBy('name', order.direction)
    .limit(query.limit + 1)
  if (query.cursor) {
    const [after] = decodeCursor(query.cursor, Type.Tuple([Type.String({ maxLength: 100 })]), order) as [string]
    page = page.where(sql<SqlBool>`name ${orderingOf(order).after} ${after}`)
  } else page = page.offset(query.offset)
  const [total, rows] = await Promise.all([totalOf(tx, names, query), page.execute()])
  return toPage(rows, total, query, ({ name }) => [name], order)
}
