import { type SelectQueryBuilder, sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { invalid } from '#platform/errors'
import { isStorable, type PageQuery } from '#platform/schema'
import type { TenantTx } from './tenant-tx.ts'

export const countLimit = 1_000

type Total = { total: number | null; total_relation: 'eq' | 'gte' | null }
export type Page<T> = Total & { items: T[]; limit: number; offset: number; next_cursor: string | null }

/** Counts matches up to `countLimit`, because an exact count can cost more than the page. Cursor pages are not counted. */
export async function totalOf<DB, Table extends keyof DB>(
  tx: TenantTx,
  matches: SelectQueryBuilder<DB, Table, unknown>,
  { cursor, count = 'capped' }: PageQuery,
): Promise<Total> {
  if (cursor || count === 'none') return { total: null, total_relation: null }

  const all = matches.select(sql.lit(1).as('one'))
  // Literal LIMIT: for a bind parameter the planner assumes 10 % of the rows.
  const limited = (count === 'exact' ? all : all.limit(sql.lit(countLimit + 1))).as('counted')
  const { matching } = await tx
    .selectFrom(limited)
    .select(({ fn }) => fn.countAll<number>().as('matching'))
    .executeTakeFirstOrThrow()
  return toTotal(matching, { count })
}

export function toTotal(matching: number, { cursor, count }: Pick<PageQuery, 'cursor' | 'count'>): Total {
  if (cursor || count === 'none') return { total: null, total_relation: null }
  if (count === 'exact') return { total: matching, total_relation: 'eq' }
  return { total: Math.min(matching, countLimit), total_relation: matching > countLimit ? 'gte' : 'eq' }
}

export type ListDirection = { direction: 'asc' | 'desc'; after: '>' | '<'; isReversed: boolean }

/** A list in one order of an index can also be read backwards. `natural` is the order without `sort`. */
export function directionOf(sort: string | undefined, natural: string): ListDirection {
  const isReversed = sort !== undefined && sort !== natural
  const isDescending = (sort ?? natural).startsWith('-')
  return { direction: isDescending ? 'desc' : 'asc', after: isDescending ? '<' : '>', isReversed }
}

/** The same as parts of a statement. */
export const orderingOf = ({ direction, after }: ListDirection) => ({
  direction: direction === 'desc' ? sql`desc` : sql`asc`,
  after: after === '<' ? sql`<` : sql`>`,
})

type CursorOptions = { isReversed?: boolean }
const reversedMark = 'reversed'

/** Builds a page from `limit + 1` rows; the extra row shows that there is a next page. `keyOf` returns the sort key. */
export function toPage<Row>(
  rows: Row[],
  total: Total,
  query: PageQuery,
  keyOf: (row: Row) => unknown[],
  { isReversed = false }: CursorOptions = {},
): Page<Row> {
  const { limit, offset } = query
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  return {
    items,
    ...total,
    limit,
    offset,
    next_cursor: last ? encodeCursor([...(isReversed ? [reversedMark] : []), ...keyOf(last)]) : null,
  }
}

/** A cursor belongs to one order: that of another one is rejected. */
export function decodeCursor<Key extends TSchema>(
  cursor: string,
  key: Key,
  { isReversed = false }: CursorOptions = {},
): Static<Key> {
  const position = decode(cursor)
  const isMarked = Array.isArray(position) && position[0] === reversedMark
  const decoded = isReversed ? (isMarked ? position.slice(1) : undefined) : position
  if (!Value.Check(key, decoded) || !isStorable(decoded))
    throw invalid('query', '/cursor', 'cursor', '`cursor` must be the unchanged `next_cursor` of the previous page.')
  return decoded
}

export const encodeCursor = (key: unknown[]) => Buffer.from(JSON.stringify(key)).toString('base64url')

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
