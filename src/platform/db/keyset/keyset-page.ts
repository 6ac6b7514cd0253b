import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PageQuery } from '#platform/schema'
import { decodeCursor, encodeCursor, type Page, toPage, toTotal, totalOf } from '../page.ts'
import { planForValues, type TenantTx } from '../tenant-tx.ts'
import {
  type CursorPosition,
  cursorSchema,
  filterFingerprint,
  type SortColumnType,
  type SortOrder,
} from './sort-order.ts'

export type Condition = Expression<SqlBool>
type Sql = RawBuilder<unknown>

/** One index range scan: its conditions, and a leading index column that must be repeated in ORDER BY. */
export type IndexScan = { conditions: readonly Condition[]; leadingColumn?: string }

/** Describes how to read one page: table, columns, order, and the index scans that together cover the filter without overlap. */
export type PagePlan = {
  table: string
  columns: readonly string[]
  /** Columns of the result that are calculated from the rows of the page only. */
  calculated?: Readonly<Record<string, Sql>>
  order: SortOrder
  scans: readonly IndexScan[]
  joins?: Sql
  /** Index scans by filter in the filter's own order, used when few rows match; otherwise rows are read in `order`. */
  filterFirst?: { scans: readonly IndexScan[]; order: SortOrder }
  /** Filters of the list; a cursor from a list with other filters is rejected. */
  filters: object
  /** Whether the values of the filters decide which index is best, because no index has both the filters and the order. */
  plansForValues?: boolean
  /** Number of matching rows, if already known. */
  matches?: number
}

type PageRow<Row> = Row & { id: string; sort_key: CursorPosition['key'] }

/** Reads a page by merging one short index scan per filter value, so its cost does not depend on the size of the list. */
export async function readPage<Row>(tx: TenantTx, plan: PagePlan, query: PageQuery): Promise<Page<Row>> {
  const { columns, calculated = {}, order, matches } = plan
  const listId = toListId(plan)
  const position = readPosition(plan, query)
  const offset = position ? 0 : query.offset
  const scans = plan.filterFirst ? [fewMatchesScan(plan), ...plan.scans.map(manyMatchesScan)] : plan.scans
  const nullParts = [...(position?.key === null ? [] : [false]), ...(order.isNullable ? [true] : [])]
  const branches = scans.flatMap((scan) =>
    nullParts.map((isNullPart) => scanBranch(scan, isNullPart, { plan, position, maxRows: offset + query.limit + 1 })),
  )
  const countMatches = async () =>
    matches === undefined
      ? await totalOf(tx, tx.selectFrom(matchingRows(plan).as('matching')), query)
      : toTotal(matches, query)
  if (plan.plansForValues) await planForValues(tx)
  if (!branches.length) return toPage<Row>([], await countMatches(), query, () => [])
  // selectFrom() lets the driver recognise a read-only statement and skip the commit.
  const page = tx
    .selectFrom(
      sql<{ is_null_part: boolean }>`(${matchingIds(plan)} ${sql.join(branches, sql` union all `)})`.as('page'),
    )
    .select([...columns.filter((column) => !(column in calculated)), 'sort_key'] as never[])
    .select(
      Object.entries(calculated)
        .filter(([column]) => columns.includes(column))
        .map(([column, value]) => value.as(column)),
    )
    .orderBy('page.is_null_part')
    .orderBy(orderBy('page', { ...order, calculated: undefined }))
    .limit(query.limit + 1)
    .offset(offset)
  const [total, rows] = await Promise.all([countMatches(), page.execute()])
  return toPage(rows as PageRow<Row>[], total, query, ({ sort_key, id }) => [listId, sort_key, id])
}

function matchingRows(plan: PagePlan) {
  const scans = (plan.filterFirst ?? plan).scans.map(
    ({ conditions }) => sql`(select 1 from ${fromTable(plan)} where ${allOf(conditions)})`,
  )
  return sql<object>`(${sql.join(scans.length ? scans : [sql`select 1 where false`], sql` union all `)})`
}

/** Above this many matches, scanning in sort order is cheaper than filter-then-sort. */
const filterFirstLimit = 2_000

function matchingIds(plan: PagePlan): Sql {
  const { table, filterFirst } = plan
  if (!filterFirst) return sql``
  const maxIds = sql.lit(filterFirstLimit + 1)
  const scans = filterFirst.scans.map(
    ({
      conditions,
      leadingColumn,
    }) => sql`(select ${sql.ref(`${table}.id`)} from ${fromTable(plan)} where ${allOf(conditions)}
      order by ${orderBy(table, filterFirst.order, leadingColumn)} limit ${maxIds})`,
  )
  return sql`with matches as materialized (
    select array(select id from (${sql.join(scans, sql` union all `)}) as scanned limit ${maxIds}) as ids)`
}

const fewMatchesScan = ({ table }: PagePlan): IndexScan => ({
  conditions: [
    sql`${sql.ref(`${table}.id`)} = any ((select ids from matches where cardinality(ids) <= ${sql.lit(filterFirstLimit)})::uuid[])`,
  ],
})

const manyMatchesScan = ({ conditions, leadingColumn }: IndexScan): IndexScan => ({
  conditions: [sql`(select cardinality(ids) from matches) > ${sql.lit(filterFirstLimit)}`, ...conditions],
  leadingColumn,
})

export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length ? sql`${sql.join(conditions, sql` and `)}` : sql`true`

type BranchOptions = { plan: PagePlan; position: CursorPosition | undefined; maxRows: number }

function scanBranch(scan: IndexScan, isNullPart: boolean, { plan, position, maxRows }: BranchOptions): Sql {
  const { table, columns, order } = plan
  const keys = Object.entries(order.by).map(([column, type]) => [sortColumn(table, order, column), type] as const)
  const firstColumn = keys[0]?.[0]
  const conditions = [...scan.conditions]
  if (order.isNullable) conditions.push(isNullPart ? sql`${firstColumn} is null` : sql`${firstColumn} is not null`)
  if (position && isNullPart === (position.key === null)) conditions.push(isAfter(table, position, order))
  const sortKey = isNullPart
    ? sql`null::json`
    : sql`json_build_array(${sql.join(keys.map(([column, type]) => toCursorValue[type](column)))})`
  const selected = [...new Set([...columns, ...sortColumns(order)])].map((column) =>
    order.calculated?.[column] ? order.calculated[column].as(column) : sql.ref(`${table}.${column}`),
  )
  return sql`(
    select ${sql.join(selected)}, ${sql.lit(isNullPart)} as is_null_part, ${sortKey} as sort_key
    from ${fromTable(plan)} where ${allOf(conditions)}
    order by ${orderBy(table, order, scan.leadingColumn)} limit ${limitLiteral(maxRows)})`
}

const fromTable = ({ table, joins }: PagePlan): Sql => sql`${sql.table(table)} ${joins ?? sql``}`

/** LIMIT as a literal for the usual page sizes: for a bind parameter the planner assumes 10 % of the table. */
function limitLiteral(maxRows: number): Sql {
  const usual = [51, 201].find((size) => maxRows <= size)
  return usual ? sql.lit(usual) : sql`${maxRows}`
}

const sortColumns = ({ by }: SortOrder): string[] => [...Object.keys(by), 'id']

const sortColumn = (table: string, { calculated }: SortOrder, column: string): Sql =>
  calculated?.[column] ?? sql.ref(`${table}.${column}`)

function orderBy(table: string, order: SortOrder, leadingColumn?: string): Sql {
  const direction = order.isDescending ? sql`desc` : sql`asc`
  const columns = [...(leadingColumn ? [leadingColumn] : []), ...sortColumns(order)]
  return sql.join(columns.map((column) => sql`${sortColumn(table, order, column)} ${direction}`))
}

/** Row comparison: one index range, however deep the page is. */
function isAfter(table: string, { key, id }: CursorPosition, order: SortOrder): Condition {
  const operator = order.isDescending ? sql`<` : sql`>`
  const columns = (key ? sortColumns(order) : ['id']).map((column) => sortColumn(table, order, column))
  const values = key ? Object.values(order.by).map((type, index) => fromCursorValue[type](key[index]!)) : []
  return sql`(${sql.join(columns)}) ${operator} (${sql.join([...values, sql`${id}::uuid`])})`
}

const toCursorValue: Record<SortColumnType, (column: Sql) => Sql> = {
  integer: (column) => column,
  timestamp: (column) => sql`(extract(epoch from ${column}) * 1000000)::bigint`,
  date: (column) => column,
  text: (column) => column,
  boolean: (column) => column,
}

const fromCursorValue: Record<SortColumnType, (value: string | number | boolean) => Sql> = {
  integer: (value) => sql`${value}::bigint`,
  timestamp: (micros) => sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`,
  date: (value) => sql`${value}::date`,
  text: (value) => sql`${value}::text`,
  boolean: (value) => sql`${value}::boolean`,
}

export const hasFilter = (filters: object): boolean =>
  Object.values(filters).some((value) => value !== undefined && value !== false)

export type SortedList = Pick<PagePlan, 'table' | 'order' | 'filters'>

const toListId = ({ table, order: { calculated: _, ...order }, filters }: SortedList) =>
  filterFingerprint({ table, ...filters, ...order, by: Object.keys(order.by) })

/** Cursor of the page after a row, for a list whose first rows another statement has read. */
export const cursorAfter = (list: SortedList, { key, id }: CursorPosition): string =>
  encodeCursor([toListId(list), key, id])

export function readPosition(list: SortedList, { cursor }: PageQuery): CursorPosition | undefined {
  if (!cursor) return undefined
  const schema = cursorSchema(toListId(list), list.order)
  const [, key, id] = decodeCursor(cursor, schema) as [string, CursorPosition['key'], string]
  return { key, id }
}
