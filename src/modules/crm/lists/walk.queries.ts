import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { afterCursor, type Page, type TenantTx, toPage, totalOf } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { cursorSchema, fingerprintOf, type ListCursor, type SortKind, type SortOrder } from './sort-order.rules.ts'

export type Condition = Expression<SqlBool>
type Sql = RawBuilder<unknown>

/** One walk along an index: what its rows are held to, and a column that stands before the order in that index. */
export type Walk = { held: readonly Condition[]; ahead?: string }

/** The rows of one list: which table, which columns, in which order. */
export type WalkPlan = {
  table: string
  columns: readonly string[]
  order: SortOrder
  /** Together they are all that is listed, and no row is in two of them. */
  walks: readonly Walk[]
  /** What conditions speak of besides the table itself. */
  joined?: Sql
  /** The same rows along the index of the filter, where the order is that of another one: for filters that mean few rows. */
  sifted?: { walks: readonly Walk[]; order: SortOrder }
  /** The filters, for cursors: one is not taken to another list. */
  fingerprint: object
}
type Walked<Row> = Row & { id: string; sorted_by: ListCursor['key'] }

/** A page costs one short walk for each value of a filter, however long the list is: they are merged, and little more is read than shown. */
export async function walkPage<Row>(tx: TenantTx, plan: WalkPlan, page: PageQuery): Promise<Page<Row>> {
  const { table, columns, order, walks } = plan
  const list = fingerprintOf({ table, ...plan.fingerprint, ...order, by: Object.keys(order.by) })
  const cursor = page.cursor ? readCursor(page.cursor, list, order) : undefined
  const offset = cursor ? 0 : page.offset
  const from = { ...plan, cursor, depth: offset + page.limit + 1 }
  const parts = [...(cursor?.key === null ? [] : [false]), ...(order.hasGaps ? [true] : [])]
  const ways = plan.sifted ? [fewRows(plan), ...walks.map(manyRows)] : walks
  const branches = ways.flatMap((walk) => parts.map((isGap) => branch(walk, isGap, from)))
  const total = await totalOf(tx, tx.selectFrom(matching(plan).as('matching')), page)
  if (!branches.length) return toPage<Row>([], total, page, () => [])
  // Written so that it is known for a plain read, and costs no commit.
  const rows = await tx
    .selectFrom(sql<{ gap: boolean }>`(${finding(plan)} ${sql.join(branches, sql` union all `)})`.as('walked'))
    .select([...columns, 'sorted_by'] as never[])
    .orderBy('walked.gap')
    .orderBy(sorted('walked', order))
    .limit(page.limit + 1)
    .offset(offset)
    .execute()
  return toPage(rows as Walked<Row>[], total, page, ({ sorted_by, id }) => [list, sorted_by, id])
}

/** All rows of the list, to count them: along the index of the filter, if there is one. */
function matching(plan: WalkPlan) {
  const walks = (plan.sifted ?? plan).walks.map(
    ({ held }) => sql`(select 1 from ${fromTable(plan)} where ${every(held)})`,
  )
  return sql<object>`(${sql.join(walks.length ? walks : [sql`select 1 where false`], sql` union all `)})`
}

/** More of them are sooner met by walking the order, even among a million rows, than found and sorted. */
const fewEnough = 2_000

/** Where a filter means few rows, these are found by its own index and sorted; only where there are more is the order walked. */
function finding(plan: WalkPlan): Sql {
  const { table, sifted } = plan
  if (!sifted) return sql``
  const most = sql.lit(fewEnough + 1)
  const walks = sifted.walks.map(
    ({ held, ahead }) => sql`(select ${sql.ref(`${table}.id`)} from ${fromTable(plan)} where ${every(held)}
      order by ${sorted(table, sifted.order, ahead)} limit ${most})`,
  )
  return sql`with found as materialized (
    select array(select id from (${sql.join(walks, sql` union all `)}) as along limit ${most}) as ids)`
}

const fewRows = ({ table }: WalkPlan): Walk => ({
  held: [
    sql`${sql.ref(`${table}.id`)} = any ((select ids from found where cardinality(ids) <= ${sql.lit(fewEnough)})::uuid[])`,
  ],
})

const manyRows = ({ held, ahead }: Walk): Walk => ({
  held: [sql`(select cardinality(ids) from found) > ${sql.lit(fewEnough)}`, ...held],
  ahead,
})

export const every = (conditions: readonly Condition[]): Condition =>
  conditions.length ? sql`${sql.join(conditions, sql` and `)}` : sql`true`

type From = WalkPlan & { cursor: ListCursor | undefined; depth: number }

function branch({ held, ahead }: Walk, isGap: boolean, from: From): Sql {
  const { table, columns, order, cursor, depth } = from
  const keys = Object.entries(order.by).map(([column, kind]) => [sql.ref(`${table}.${column}`), kind] as const)
  const first = keys[0]![0]
  const conditions = [...held]
  if (order.hasGaps) conditions.push(isGap ? sql`${first} is null` : sql`${first} is not null`)
  if (cursor && isGap === (cursor.key === null)) conditions.push(isAfter(table, cursor, order))
  const key = isGap ? sql`null::json` : sql`json_build_array(${sql.join(keys.map(([ref, kind]) => keyOf[kind](ref)))})`
  const selected = [...new Set([...columns, ...sortColumns(order)])].map((column) => sql.ref(`${table}.${column}`))
  return sql`(
    select ${sql.join(selected)}, ${sql.lit(isGap)} as gap, ${key} as sorted_by
    from ${fromTable(from)} where ${every(conditions)}
    order by ${sorted(table, order, ahead)} limit ${roomFor(depth)})`
}

const fromTable = ({ table, joined }: WalkPlan): Sql => sql`${sql.table(table)} ${joined ?? sql``}`

/** Written out for the usual depths: of a number it does not know PostgreSQL thinks that it takes a tenth of all rows. */
function roomFor(depth: number): Sql {
  const usual = [51, 201].find((room) => depth <= room)
  return usual ? sql.lit(usual) : sql`${depth}`
}

const sortColumns = ({ by }: SortOrder): string[] => [...Object.keys(by), 'id']

function sorted(table: string, order: SortOrder, ahead?: string): Sql {
  const direction = order.isDescending ? sql`desc` : sql`asc`
  const columns = [...(ahead ? [ahead] : []), ...sortColumns(order)]
  return sql.join(columns.map((column) => sql`${sql.ref(`${table}.${column}`)} ${direction}`))
}

/** Compared as a row, the key is one range of the index, however deep the page lies. */
function isAfter(table: string, { key, id }: ListCursor, order: SortOrder): Condition {
  const than = order.isDescending ? sql`<` : sql`>`
  const columns = (key ? sortColumns(order) : ['id']).map((column) => sql.ref(`${table}.${column}`))
  const values = key ? Object.values(order.by).map((kind, place) => boundTo[kind](key[place]!)) : []
  return sql`(${sql.join(columns)}) ${than} (${sql.join([...values, sql`${id}::uuid`])})`
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
  const [, key, id] = afterCursor(cursor, cursorSchema(list, order)) as [string, ListCursor['key'], string]
  return { key, id }
}
