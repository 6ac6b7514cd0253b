import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type TSchema, Type } from 'typebox'
import { decodeCursor, type Page, planForValues, type TenantTx, toPage, totalOf } from '#platform/db'
import { Id, type PageQuery } from '#platform/schema'
import { itemsAs, type PresentedRow, selectSummaries } from './content.queries.ts'
import type { ContentViewer } from './content.rules.ts'
import type { ContentFilter } from './content.schemas.ts'
import { isVisibleTo } from './content-visibility.queries.ts'
import type { SearchMatch } from './search-content.queries.ts'

export type ContentSort = NonNullable<ContentFilter['sort']>
export type ItemFilter = Omit<ContentFilter, keyof PageQuery | 'sort' | 'search'> & {
  now: Date
  /** Items that a search found. */
  matches?: readonly SearchMatch[]
}

type SortValue = string | number
type SortKey = {
  value: RawBuilder<SortValue>
  id?: string
  schema: TSchema
  parse(value: SortValue): RawBuilder<unknown>
}

const column = (name: string) => sql.ref<SortValue>(name)
const Micros = Type.String({ pattern: '^\\d{1,18}$' })
const timestampKey = (name: string): SortKey => ({
  value: column(name),
  schema: Micros,
  parse: (micros) => sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`,
})
const sortKeys: Record<string, SortKey> = {
  title: { value: column('item.title_key'), schema: Type.String(), parse: (title) => sql`${title}::text` },
  updated_at: timestampKey('item.updated_at'),
  next_review_at: timestampKey('item.next_review_at'),
  heat: {
    value: column('stats.heat'),
    id: 'stats.item_id',
    schema: Type.Number(),
    parse: (heat) => sql`${heat}::double precision`,
  },
  views: {
    value: column('stats.views_total'),
    id: 'stats.item_id',
    schema: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
    parse: (views) => sql`${views}::integer`,
  },
  relevance: { value: column('match.rank'), schema: Type.Number(), parse: (rank) => sql`${rank}::real` },
}

export async function listItemRows(
  tx: TenantTx,
  viewer: ContentViewer,
  filter: ItemFilter,
  { sort, ...page }: PageQuery & { sort: ContentSort },
): Promise<Page<PresentedRow>> {
  const name = sort.replace(/^-/, '')
  const { value, id: idColumn = 'item.id', schema, parse } = sortKeys[name]!
  const isDescending = sort.startsWith('-') || name === 'relevance'
  const [direction, operator] = isDescending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
  const id = sql.ref(idColumn)
  const items = matchingItems(tx, viewer, filter, name === 'next_review_at')

  const cursorKey = schema === Micros ? sql`(extract(epoch from ${value}) * 1000000)::bigint::text` : value
  let rows = selectSummaries(items)
    .select(cursorKey.as('sort_key'))
    .orderBy(sql`${value} ${direction}, ${id} ${direction}`)
    .limit(page.limit < 51 ? sql.lit(51) : sql.lit(201))
  // Makes the outer join an inner one, which can begin with the index on the statistics.
  if (idColumn !== 'item.id') rows = rows.where('stats.item_id', 'is not', null)
  if (page.cursor) {
    const [last, lastId] = decodeCursor(page.cursor, Type.Tuple([schema, Id])) as [SortValue, string]
    rows = rows.where(sql<SqlBool>`(${value}, ${id}) ${operator} (${parse(last)}, ${lastId}::uuid)`)
  } else rows = rows.offset(page.offset)

  const { type, category, tag } = filter
  if (type || category || tag) await planForValues(tx)
  const [total, found] = await Promise.all([totalOf(tx, items, page), rows.execute()])
  return toPage(found as unknown as SortedRow[], total, page, ({ sort_key, id }) => [sort_key, id])
}

type SortedRow = PresentedRow & { sort_key: SortValue }

function matchingItems(tx: TenantTx, viewer: ContentViewer, filter: ItemFilter, hasReviewDate: boolean) {
  const { matches, type, category, status = ['published'], tag, owner_id, stale, now } = filter
  let items = itemsAs(tx).where(isVisibleTo(viewer)).where(isOneOf('item.status', status))
  if (matches) items = items.innerJoin(matchTable(matches), 'match.item_id', 'item.id')
  if (type) items = items.where(isOneOf('item.type', type))
  if (category) items = items.where('item.category', '=', category)
  if (owner_id) items = items.where('item.owner_id', '=', owner_id)
  if (tag) items = items.where(sql<SqlBool>`${tag} = any (item.tags)`)
  if (hasReviewDate) items = items.where('item.next_review_at', 'is not', null)
  if (stale === true) items = items.where('item.next_review_at', '<', now)
  if (stale === false) items = items.where(sql<SqlBool>`coalesce(item.next_review_at >= ${now}, true)`)
  return items
}

const matchTable = (matches: readonly SearchMatch[]) =>
  sql<SearchMatch>`(select unnest(${matches.map(({ item_id }) => item_id)}::uuid[]) as item_id,
    unnest(${matches.map(({ rank }) => rank)}::real[]) as rank)`.as('match')

/** An index is sorted by the next column only for a single value. */
const isOneOf = (name: string, values: readonly string[]) =>
  values.length === 1
    ? sql<SqlBool>`${sql.ref(name)} = ${values[0]}`
    : sql<SqlBool>`${sql.ref(name)} = any (${[...new Set(values)]}::text[])`
