import { type Expression, type Selectable, type SqlBool, sql } from 'kysely'
import {
  type Database,
  hasFilter,
  type Page,
  readPage,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
  toLikePatterns,
  toSearchWords,
} from '#platform/db'
import { type RoomStatus, roomStatuses } from '../records/room-fields.schemas.ts'
import { type RoomRow, roomColumns } from '../records/rooms.queries.ts'
import type { RoomQuery } from './rooms.schemas.ts'

type Condition = Expression<SqlBool>

const orders: SortOrders = {
  updated_at: { by: { updated_at: 'timestamp' } },
  engagement_score: { by: { engagement_score: 'integer' }, isNullable: true },
  last_external_visit_at: { by: { last_external_visit_at: 'timestamp' }, isNullable: true },
  name: { by: { name_key: 'text' } },
}

const visibleByDefault = roomStatuses.filter((status) => status !== 'archived')
const maxMatches = 10_000
const maxWords = 5

type RoomFilter = Omit<RoomQuery, 'mine'> & { owner_id?: string }

/** Sorted by change, several statuses are one index scan each, because the index by status is sorted by change. */
export async function listRoomRows(tx: TenantTx, query: RoomFilter): Promise<Page<RoomRow>> {
  const { sort, limit, offset, cursor, count, ...filters } = query
  const statuses: RoomStatus[] = [...new Set(filters.status ?? visibleByDefault)]
  const conditions = await filterConditions(tx, filters)
  const isScannedByStatus =
    sort === '-updated_at' && !filters.account_id && !filters.opportunity_id && !filters.owner_id
  const plan = {
    table: 'enablement.rooms',
    columns: roomColumns,
    order: sortOrderOf(orders, sort),
    scans: isScannedByStatus
      ? statuses.map((status) => ({ conditions: [sql<SqlBool>`enablement.rooms.status = ${status}`, ...conditions] }))
      : [{ conditions: [sql<SqlBool>`enablement.rooms.status = any (${statuses}::text[])`, ...conditions] }],
    filters,
    plansForValues: hasFilter(filters),
  }
  return await readPage<RoomRow>(tx, plan, { limit, offset, cursor, count })
}

type Filters = Omit<RoomFilter, 'sort' | 'limit' | 'offset' | 'cursor' | 'count'>

async function filterConditions(tx: TenantTx, filters: Filters): Promise<Condition[]> {
  const { account_id, opportunity_id, owner_id, room_type, band, is_template, search } = filters
  const conditions: Condition[] = [sql`enablement.rooms.deleted_at is null`]
  if (account_id) conditions.push(sql`enablement.rooms.account_id = ${account_id}::uuid`)
  if (opportunity_id) conditions.push(sql`enablement.rooms.opportunity_id = ${opportunity_id}::uuid`)
  if (owner_id) conditions.push(sql`enablement.rooms.owner_id = ${owner_id}::uuid`)
  if (room_type) conditions.push(sql`enablement.rooms.room_type = any (${room_type}::text[])`)
  if (band) conditions.push(sql`enablement.rooms.engagement_band = any (${band}::text[])`)
  if (is_template !== undefined) conditions.push(sql`enablement.rooms.is_template = ${is_template}`)
  if (search) conditions.push(await searchCondition(tx, search))
  return conditions
}

/** A condition on the matching ids if they are few; otherwise the text of each scanned room is tested. */
async function searchCondition(tx: TenantTx, search: string): Promise<Condition> {
  const words = toSearchWords(search).slice(0, maxWords)
  const found = sql<{ id: string }>`(
    select id from enablement.search_rooms(${words}::text[], ${sql.lit(maxMatches + 1)}) as id)`
  const rows = await tx.selectFrom(found.as('found')).select('id').execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length <= maxMatches) return sql`enablement.rooms.id = any (${ids}::uuid[])`
  return sql`coalesce(enablement.rooms.search_text like all (${toLikePatterns(search)}::text[]), false)`
}

const cardColumns = ['id', 'name', 'public_title', 'room_type', 'status', 'owner_id', 'deleted_at'] as const

/** RoomSummary is what other modules need to know about a room. */
export type RoomSummary = Pick<Selectable<Database['enablement.rooms']>, (typeof cardColumns)[number]>

const selectCard = (tx: TenantTx, id: string) =>
  tx.selectFrom('enablement.rooms').select(cardColumns).where('id', '=', id).where('deleted_at', 'is', null)

export const findRoomSummary = (tx: TenantTx, id: string): Promise<RoomSummary | undefined> =>
  selectCard(tx, id).executeTakeFirst()

/** Keeps type and status of the room until the transaction ends. */
export const lockRoomSummaryShared = (tx: TenantTx, id: string): Promise<RoomSummary | undefined> =>
  selectCard(tx, id).forShare().executeTakeFirst()

/** Includes deleted rooms. */
export function listCommunityRoomSummaries(tx: TenantTx): Promise<RoomSummary[]> {
  return tx
    .selectFrom('enablement.rooms')
    .select(cardColumns)
    .where('room_type', '=', 'community')
    .orderBy('id')
    .execute()
}
