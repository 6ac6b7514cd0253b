import { type SelectQueryBuilder, sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { invalid } from '#platform/errors'
import type { PageQuery } from '#platform/schema'
import type { TenantTx } from './tenant-tx.ts'

const countedUpTo = 10_000

type Total = { total: number | null; total_relation: 'eq' | 'gte' | null }
export type Page<T> = Total & { items: T[]; limit: number; offset: number; next_cursor: string | null }

/** Counting a large tenant to the end costs more than its page, so it stops at 10,000; a page by cursor is not counted. */
export async function totalOf<DB, Table extends keyof DB>(
  tx: TenantTx,
  matches: SelectQueryBuilder<DB, Table, unknown>,
  { cursor, count = 'capped' }: PageQuery,
): Promise<Total> {
  if (cursor || count === 'none') return { total: null, total_relation: null }

  const all = matches.select(sql.lit(1).as('one'))
  // A literal, because a generic plan would take a parameter for a tenth of the rows.
  const counted = (count === 'exact' ? all : all.limit(sql.lit(countedUpTo + 1))).as('counted')
  const { found } = await tx
    .selectFrom(counted)
    .select(({ fn }) => fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow()
  if (count === 'exact') return { total: found, total_relation: 'eq' }
  return { total: Math.min(found, countedUpTo), total_relation: found > countedUpTo ? 'gte' : 'eq' }
}

/** Expects `limit + 1` rows: the extra one only tells that there is more. `keyOf` names what the list is sorted by. */
export function toPage<Row>(rows: Row[], total: Total, query: PageQuery, keyOf: (row: Row) => unknown[]): Page<Row> {
  const { limit, offset } = query
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  return { items, ...total, limit, offset, next_cursor: last ? encode(keyOf(last)) : null }
}

/** The sort key of the row after which the page starts. */
export function afterCursor<Key extends TSchema>(cursor: string, key: Key): Static<Key> {
  const decoded = decode(cursor)
  if (!Value.Check(key, decoded))
    throw invalid('query', '/cursor', 'cursor', 'Use the next_cursor of a page as it came.')
  return decoded
}

const encode = (key: unknown[]) => Buffer.from(JSON.stringify(key)).toString('base64url')

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
