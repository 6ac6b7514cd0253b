import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { lockRoomEngagement } from '../analytics/engagement.queries.ts'
import {
  deleteDaysWithoutVisits,
  recountDailyStats,
  recountItemCounts,
  recountLinkCounts,
} from '../analytics/recount-visits.queries.ts'

async function listIds(tx: TenantTx, select: RawBuilder<{ id: string }>, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${select} limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

const isCounted = sql`visit.counted_at is not null and not visit.is_internal and not visit.is_bot`

/** Leaves out rooms that wait for the next recount and rooms that are old enough to have views that were purged. */
export const findRoomsWithWrongCounts = (tx: TenantTx, limit: number): Promise<string[]> =>
  listIds(
    tx,
    sql`
      with counted as (
        select room.id from enablement.rooms room
        where room.created_at > now() - interval '700 days' and not exists (
          select from enablement.room_visits visit where visit.room_id = room.id and visit.updated_at >=
            coalesce((select folded_until from enablement.room_fold_positions), 'epoch') - interval '2 minutes')
      )
      select id from counted where
        exists (select from enablement.room_links link where link.room_id = counted.id and link.visit_count <> (
          select count(*) from enablement.room_visits visit where visit.link_id = link.id and ${isCounted}))
        or exists (select from enablement.room_items item where item.room_id = counted.id and item.views <> (
          select count(*) from enablement.content_views view
          where view.room_id = counted.id and view.room_item_id = item.id and not view.is_internal and not view.is_bot
            and view.is_counted))
        or (select coalesce(sum(external_visits), 0) from enablement.room_daily_stats stats where stats.room_id = counted.id) <> (
          select count(*) from enablement.room_visits visit where visit.room_id = counted.id and ${isCounted})`,
    limit,
  )

export async function recountRooms(tx: TenantTx, ids: readonly string[]): Promise<number> {
  let corrected = 0
  for (const id of ids.toSorted()) {
    await lockRoomEngagement(tx, id)
    const changed =
      (await deleteDaysWithoutVisits(tx, id)) +
      (await recountDailyStats(tx, id, new Date(0))) +
      (await recountLinkCounts(tx, id)) +
      (await recountItemCounts(tx, id))
    if (changed) corrected++
  }
  return corrected
}

export const findMismatchedVisits = (tx: TenantTx, limit: number): Promise<string[]> =>
  listIds(
    tx,
    sql`select visit.id from enablement.room_visits visit
      join enablement.room_links link on link.id = visit.link_id
      join enablement.room_visitors visitor on visitor.id = visit.visitor_id
      where link.room_id <> visit.room_id or visitor.room_id <> visit.room_id`,
    limit,
  )

const isWithoutVisit = sql`view.source = 'room'
  and not exists (select from enablement.room_visits visit where visit.id = view.visit_id)`

export const findViewsWithoutVisit = (tx: TenantTx, limit: number): Promise<string[]> =>
  listIds(tx, sql`select view.id from enablement.content_views view where ${isWithoutVisit}`, limit)

export const filterViewsWithoutVisit = (tx: TenantTx, ids: readonly string[]): Promise<string[]> =>
  listIds(
    tx,
    sql`select view.id from enablement.content_views view where view.id = any (${ids}::uuid[]) and ${isWithoutVisit}`,
    ids.length,
  )

const differsFromVisit = sql`(view.room_id, view.visitor_id) is distinct from (visit.room_id, visit.visitor_id)`

export const findMismatchedViews = (tx: TenantTx, limit: number): Promise<string[]> =>
  listIds(
    tx,
    sql`select view.id from enablement.content_views view join enablement.room_visits visit on visit.id = view.visit_id
      where ${differsFromVisit}`,
    limit,
  )

type VisitOfView = { id: string; room_id: string; visitor_id: string }

export async function listVisitsOfMismatchedViews(tx: TenantTx, ids: readonly string[]): Promise<VisitOfView[]> {
  const { rows } = await sql<VisitOfView>`
    select view.id, visit.room_id, visit.visitor_id from enablement.content_views view
    join enablement.room_visits visit on visit.id = view.visit_id
    where view.id = any (${ids}::uuid[]) and ${differsFromVisit}
  `.execute(tx)
  return rows
}

const isInForeignSection = sql`exists (
  select from enablement.room_sections section where section.id = item.section_id and section.room_id <> item.room_id)`

export const findItemsInForeignSections = (tx: TenantTx, limit: number): Promise<string[]> =>
  listIds(tx, sql`select item.id from enablement.room_items item where ${isInForeignSection}`, limit)

export async function removeForeignSections(tx: TenantTx, ids: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update enablement.room_items item set section_id = null where item.id = any (${ids}::uuid[]) and ${isInForeignSection}
  `.execute(tx)
  return Number(numAffectedRows)
}

export const findItemsWithoutVersion = (tx: TenantTx, limit: number): Promise<string[]> =>
  listIds(
    tx,
    sql`select item.id from enablement.room_items item
      where item.pinned_version_no is not null and not exists (
        select from enablement.content_versions version
        where version.item_id = item.content_item_id and version.version_no = item.pinned_version_no)`,
    limit,
  )
