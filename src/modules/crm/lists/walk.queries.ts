import { type Compilable, type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { afterCursor, type Database, type Page, type TenantTx, toPage, totalOf } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { cursorSchema, fingerprintOf, type ListCursor, type SortKind, type SortOrder } from './sort-order.rules.ts'

export type Condition = Expression<SqlBool>
type Sql = RawBuilder<unknown>

/** One walk along an index: what its rows are held to. */
export type Walk = { held: readonly Condition[] }

/** The rows of one list: which table, which columns, in which order. */
export type WalkPlan = {
  table: string
  columns: readonly string[]
  order: SortOrder
  /** Together they are all that is listed, and no row is in two of them. */
  walks: readonly Walk[]
  /** What conditions speak of besides the table itself. */
  joined?: Sql
  /** The filters, for cursors: one is not taken to another list. */
  fingerprint: object
  /** The same rows once more, to count them. */
  matching: Compilable
}
type Walked<Row> = Row & { id: string; sorted_by: string | number | null }

/** A page costs one short walk for each value of a filter, however long the list is: they are merged, and little more is read than shown. */
export async function walkPage<Row>(tx: TenantTx, plan: WalkPlan, page: PageQuery): Promise<Page<Row>> {
  const { table, columns, order, walks } = plan
  const list = fingerprintOf({ table, ...plan.fingerprint, by: order.column, isDescending: order.isDescending })
  const cursor = page.cursor ? readCursor(page.cursor, list, order) : undefined
  const offset = cursor ? 0 : page.offset
  const from = { ...plan, cursor, depth: offset + page.limit + 1 }
  const parts = order.hasGaps ? [false, true] : [false]
  const branches = walks.flatMap((walk) =>
    parts.filter((gap) => gap || !cursor?.isInGap).map((gap) => branch(walk, gap, from)),
  )
  const total = await totalOf(tx, plan.matching as SelectQueryBuilder<Database, keyof Database, unknown>, page)
  if (!branches.length) return toPage<Row>([], total, page, () => [])
  // Written so that it is known for a plain read, and costs no commit.
  const rows = await tx
    .selectFrom(sql<{ gap: boolean }>`(${sql.join(branches, sql` union all `)})`.as('walked'))
    .select([...columns, 'sorted_by'] as never[])
    .orderBy('walked.gap')
    .orderBy(inOrder('walked', order))
    .limit(page.limit + 1)
    .offset(offset)
    .execute()
  return toPage(rows as Walked<Row>[], total, page, ({ sorted_by, id }) => [list, sorted_by, id])
}

export const every = (conditions: readonly Condition[]): Condition =>
  conditions.length ? sql`${sql.join(conditions, sql` and `)}` : sql`true`

type From = Pick<WalkPlan, 'table' | 'columns' | 'order' | 'joined'> & {
  cursor: ListCursor | undefined
  depth: number
}

function branch({ held }: Walk, gap: boolean, { table, columns, order, joined, cursor, depth }: From): Sql {
  const sorted = sql.ref(`${table}.${order.column}`)
  const conditions = [...held]
  if (order.hasGaps) conditions.push(gap ? sql`${sorted} is null` : sql`${sorted} is not null`)
  if (cursor?.isInGap === gap) conditions.push(isAfter(table, cursor, order))
  return sql`(
    select ${refs(table, columns)}, ${sql.lit(gap)} as gap, ${keyOf[order.kind](sorted)} as sorted_by
    from ${sql.table(table)} ${joined ?? sql``} where ${every(conditions)}
    order by ${inOrder(table, order)} limit ${roomFor(depth)})`
}

/** Written out for the usual depths: of a number it does not know PostgreSQL thinks that it takes a tenth of all rows. */
export function roomFor(depth: number): Sql {
  const usual = [51, 201].find((room) => depth <= room)
  return usual ? sql.lit(usual) : sql`${depth}`
}

const refs = (table: string, columns: readonly string[]): Sql =>
  sql.join(columns.map((column) => sql.ref(`${table}.${column}`)))

function inOrder(table: string, { column, isDescending }: SortOrder): Sql {
  const direction = isDescending ? sql`desc` : sql`asc`
  return sql`${sql.ref(`${table}.${column}`)} ${direction}, ${sql.ref(`${table}.id`)} ${direction}`
}

/** Compared as a row, the key is one range of the index, however deep the page lies. */
function isAfter(table: string, { value, id }: ListCursor, { column, kind, isDescending }: SortOrder): Condition {
  const than = isDescending ? sql`<` : sql`>`
  const own = sql.ref(`${table}.id`)
  if (value === null) return sql`${own} ${than} ${id}::uuid`
  return sql`(${sql.ref(`${table}.${column}`)}, ${own}) ${than} (${boundTo[kind](value)}, ${id}::uuid)`
}

const keyOf: Record<SortKind, (column: Sql) => Sql> = {
  whole: (column) => column,
  instant: (column) => sql`(extract(epoch from ${column}) * 1000000)::bigint`,
  day: (column) => column,
  text: (column) => column,
}

const boundTo: Record<SortKind, (value: string | number) => Sql> = {
  whole: (value) => sql`${value}::bigint`,
  instant: (micros) => sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`,
  day: (value) => sql`${value}::date`,
  text: (value) => sql`${value}::text`,
}

function readCursor(cursor: string, list: string, order: SortOrder): ListCursor {
  const [, value, id] = afterCursor(cursor, cursorSchema(list, order)) as [string, string | number | null, string]
  return { isInGap: value === null, value, id }
}
