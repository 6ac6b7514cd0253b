import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { afterCursor, type Page, type TenantTx, toPage, totalOf } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { fingerprintOf } from '../lists/sort-order.rules.ts'
import { type Condition, every, roomFor } from '../lists/walk.queries.ts'
import {
  type Conditions,
  conditionsOf,
  isDeleted,
  isLive,
  isOneOf,
  isOwnedBy,
  type LeadFilter,
  plainConditions,
} from './lead-filter.queries.ts'
import { cursorSchema, kinds, type LeadCursor, orderOf, type SortOrder } from './lead-sorts.rules.ts'
import { type ListedLead, leadColumns } from './leads.queries.ts'
import type { LeadSort } from './leads.schemas.ts'

type Sql = RawBuilder<unknown>
/** One walk along an index: what it is held to, and a column that stands before the order in that index. */
type Walk = { held: Condition[]; ahead?: Sql; gap: boolean }
type Walked = ListedLead & { priority_rank: number; gap: boolean; instant: number | null }

const columns = [...leadColumns, 'priority_rank'] as const

/** The page of leads a filter means, each page one short walk per value of the filter, however many leads there are. */
export async function listLeads(
  tx: TenantTx,
  filter: LeadFilter,
  { sort, ...page }: PageQuery & { sort: LeadSort },
): Promise<Page<ListedLead>> {
  const order = orderOf(sort)
  const fingerprint = fingerprintOf({ ...filter, rule: filter.rule?.written, sort })
  const cursor = page.cursor ? readCursor(page.cursor, fingerprint, order) : undefined
  const conditions = await conditionsOf(tx, filter)
  const walks = walksFor(conditions, order, filter.include_deleted ?? false)

  const offset = cursor ? 0 : page.offset
  const depth = offset + page.limit + 1
  const branches = walks.filter(({ gap }) => gap || !cursor?.gap).map((walk) => branch(walk, order, cursor, depth))
  const rows = await tx
    .selectFrom(sql<Walked>`(${sql.join(branches, sql` union all `)})`.as('walked'))
    .select([...columns, 'gap', 'instant'])
    .orderBy('gap')
    .orderBy(inOrder(order))
    .limit(page.limit + 1)
    .offset(offset)
    .execute()

  const counted = tx
    .selectFrom('crm.leads')
    .where(every([...(filter.include_deleted ? [] : [isLive]), ...plainConditions(conditions)]))
  return toPage(rows, await totalOf(tx, counted, page), page, (row) => [fingerprint, ...keyOf(row, order)])
}

/**
 * The default order is kept by an index for every filter, so a list of values is one walk for each, and a range of scores one
 * for each tier. In another order there is one index, and rows are asked the rest.
 */
function walksFor(conditions: Conditions, { columns: [first], hasGaps }: SortOrder, withDeleted: boolean): Walk[] {
  const split = first === 'priority_rank' ? splitByIndex(conditions) : { but: [], walks: [{ held: [] }] }
  const rest = plainConditions(conditions, split.but)
  const column = sql.ref(first!)
  const parts = hasGaps
    ? [
        { gap: false, held: sql<SqlBool>`${column} is not null` },
        { gap: true, held: sql<SqlBool>`${column} is null` },
      ]
    : [{ gap: false, held: undefined }]
  const live = split.walks.flatMap(({ held, ahead }) =>
    parts.map(
      (part): Walk => ({ held: [isLive, ...held, ...(part.held ? [part.held] : []), ...rest], ahead, gap: part.gap }),
    ),
  )
  if (!withDeleted) return live
  const everything = plainConditions(conditions)
  const deleted = parts.map(
    (part): Walk => ({ held: [isDeleted, ...(part.held ? [part.held] : []), ...everything], gap: part.gap }),
  )
  return [...live, ...deleted]
}

type Split = { but: string[]; walks: Pick<Walk, 'held' | 'ahead'>[] }

function splitByIndex({ lists, owner, scores }: Conditions): Split {
  // Of nobody there is no value to be equal to, so the column has to be named for the order of the index to be seen.
  if (owner === null) return { but: ['owner'], walks: [{ held: [isOwnedBy(null)], ahead: sql`owner_id` }] }
  if (owner !== undefined) return { but: ['owner'], walks: [{ held: [isOwnedBy(owner)] }] }
  const [shortest] = [...lists].sort(([, one], [, other]) => one.length - other.length)
  if (shortest) {
    const [name, values] = shortest
    return { but: [name], walks: values.map((value) => ({ held: [isOneOf(name, [value])] })) }
  }
  if (!scores) return { but: [], walks: [{ held: [] }] }
  const tiers = [1, 2, 3, 4, 5, 6, 7].map((tier) => {
    const [from, to] = [tier * 1_000 + 100 - scores.max, tier * 1_000 + 100 - scores.min]
    return { held: [sql<SqlBool>`priority_rank between ${from}::smallint and ${to}::smallint`] }
  })
  return { but: ['scores'], walks: tiers }
}

function branch({ held, ahead, gap }: Walk, order: SortOrder, cursor: LeadCursor | undefined, depth: number): Sql {
  const conditions = cursor && cursor.gap === gap ? [...held, isAfter(cursor, order)] : held
  const instant = order.columns.find((column) => kinds[column] === 'instant')
  const micros = instant ? sql`(extract(epoch from ${sql.ref(instant)}) * 1000000)::bigint` : sql`null::bigint`
  const direction = order.isDescending ? sql`desc` : sql`asc`
  const sorted = ahead ? sql`${ahead} ${direction}, ${inOrder(order)}` : inOrder(order)
  return sql`(
    select ${sql.join(columns.map((column) => sql.ref(column)))}, ${sql.lit(gap)} as gap, ${micros} as instant
    from crm.leads where ${every(conditions)} order by ${sorted} limit ${roomFor(depth)})`
}

/** Ties go by id, in the same direction. */
function inOrder({ columns, isDescending }: SortOrder): Sql {
  const direction = isDescending ? sql`desc` : sql`asc`
  return sql.join([...columns, 'id'].map((column) => sql`${sql.ref(column)} ${direction}`))
}

/** Compared as a row, the key is one range of the index, however deep the page lies. */
function isAfter({ gap, key }: LeadCursor, { columns, isDescending }: SortOrder): Condition {
  const than = isDescending ? sql`<` : sql`>`
  const id = sql`${key.at(-1)}::uuid`
  if (gap) return sql`id ${than} ${id}`
  const values = columns.map((column, index) => keyValue[kinds[column]](key[index]!))
  return sql`(${sql.join([...columns, 'id'].map((column) => sql.ref(column)))}) ${than} (${sql.join([...values, id])})`
}

const keyValue = {
  small: (value: unknown) => sql`${value}::smallint`,
  instant: (micros: unknown) => sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`,
  text: (value: unknown) => sql`${value}::text`,
}

function readCursor(cursor: string, fingerprint: string, order: SortOrder): LeadCursor {
  const [, gap, ...key] = afterCursor(cursor, cursorSchema(fingerprint, order)) as [
    string,
    0 | 1,
    ...(string | number)[],
  ]
  return { gap: gap === 1, key }
}

function keyOf(row: Walked, { columns }: SortOrder): (string | number)[] {
  if (row.gap) return [1, row.id]
  return [
    0,
    ...columns.map((column) => (kinds[column] === 'instant' ? row.instant : row[column as 'name_key'])!),
    row.id,
  ]
}
