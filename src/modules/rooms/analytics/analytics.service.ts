import { readViewer } from '#modules/library'
import type { UserActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { listRoomItemRows } from '../items/items.queries.ts'
import { isRestricted } from '../items/room-content.rules.ts'
import { readRoomItemContent } from '../items/room-content.service.ts'
import { listLinkRows } from '../links/links.queries.ts'
import { listStepRows } from '../plan/plan.queries.ts'
import { progressRateOf } from '../plan/plan.rules.ts'
import { findCollaboratorRole } from '../records/room-parts.queries.ts'
import { getRoom } from '../records/rooms.queries.ts'
import { assertCanSeeLinks } from '../records/rooms.rules.ts'
import { identityOf, shownEmailOf } from '../visit-records/visits.rules.ts'
import {
  type AnalyticsRange,
  type DailyTotals,
  listDailyStats,
  listDailyTotals,
  listItemTotals,
  listLinkTotals,
  listVisitorTotals,
  readVisitorTotals,
} from './analytics.queries.ts'
import type { RoomAnalytics, RoomAnalyticsQuery } from './analytics.schemas.ts'
import { readEngagement } from './engagement.service.ts'

export async function getRoomAnalytics(
  tx: TenantTx,
  actor: UserActor,
  roomId: string,
  { days, include_internal }: RoomAnalyticsQuery,
  now: Date,
): Promise<RoomAnalytics> {
  const room = await getRoom(tx, roomId)
  const collaboratorRole = await findCollaboratorRole(tx, roomId, actor.userId)
  assertCanSeeLinks(actor, { owner_id: room.owner_id, collaboratorRole })
  const since = startOfDay(daysLater(now, 1 - days))
  const range = { roomId, since, includesInternal: include_internal }
  const [daily, byDay, visitors, shownVisitors, items, links, steps, { score }] = await Promise.all([
    listDailyStats(tx, range),
    include_internal ? listDailyTotals(tx, range) : undefined,
    readVisitorTotals(tx, range),
    listVisitorTotals(tx, range),
    readItems(tx, range),
    readLinks(tx, range),
    listStepRows(tx, roomId),
    readEngagement(tx, roomId, now),
  ])
  const sum = (field: Exclude<keyof (typeof daily)[number], 'day'>) =>
    daily.reduce((total, one) => total + one[field], 0)
  const internal = { visits: sum('internal_visits'), seconds: sum('internal_seconds') }
  const by_day = byDay ?? daily.map(toExternalTotals)
  const total = (field: Exclude<keyof DailyTotals, 'day'>) => by_day.reduce((sum, one) => sum + one[field], 0)
  const [visits, seconds] = [total('visits'), total('seconds')]
  return {
    totals: {
      visits,
      visitors: visitors.visitors,
      identified: visitors.identified,
      verified: visitors.verified,
      seconds,
      average_seconds: visits ? Math.round(seconds / visits) : null,
      item_views: total('item_views'),
      downloads: total('downloads'),
    },
    score,
    by_day,
    visitors: shownVisitors.map(({ email_verified_at, ...visitor }) => ({
      ...visitor,
      email: shownEmailOf(visitor, actor.scopes),
      identity: identityOf({ ...visitor, email_verified_at }),
    })),
    items,
    links: links.map(({ revoked_at: _, ...link }) => link),
    funnel: {
      links: links.filter(({ revoked_at }) => revoked_at === null).length,
      visited: visitors.visitors,
      engaged: visitors.engaged,
      returned: visitors.returned,
    },
    plan: { progress_rate: progressRateOf(steps), overdue: steps.filter((step) => isOverdue(step, now)).length },
    internal,
    bots_filtered: sum('bot_visits'),
  }
}

const toExternalTotals = (day: Awaited<ReturnType<typeof listDailyStats>>[number]): DailyTotals => ({
  day: day.day,
  visits: day.external_visits,
  visitors: day.external_visitors,
  seconds: day.seconds,
  item_views: day.item_views,
  downloads: day.downloads,
})

async function readItems(tx: TenantTx, range: AnalyticsRange): Promise<RoomAnalytics['items']> {
  const [viewer, rows, totals] = await Promise.all([
    readViewer(tx),
    listRoomItemRows(tx, range.roomId),
    listItemTotals(tx, range),
  ])
  const placed = await readRoomItemContent(tx, rows)
  const byId = new Map(totals.map((total) => [total.item_id, total]))
  return placed.map((item) => {
    const { row, content } = item
    const title = isRestricted(item, viewer) ? '' : (row.title ?? content?.title ?? '')
    const {
      views = 0,
      unique_visitors = 0,
      seconds = 0,
      measured = 0,
      completed = 0,
      downloads = 0,
    } = byId.get(row.id) ?? {}
    return {
      item_id: row.id,
      title,
      views,
      unique_visitors,
      seconds,
      downloads,
      average_seconds: measured ? Math.round(seconds / measured) : null,
      completion_rate: measured ? Math.round((completed / measured) * 10_000) / 10_000 : null,
    }
  })
}

async function readLinks(tx: TenantTx, range: AnalyticsRange) {
  const [links, totals] = await Promise.all([listLinkRows(tx, range.roomId), listLinkTotals(tx, range)])
  const byId = new Map(totals.map((total) => [total.link_id, total]))
  return links.map(({ id, label, revoked_at }) => {
    const { visits = 0, visitors = 0 } = byId.get(id) ?? {}
    return { id, label, revoked_at, visits, visitors }
  })
}

const startOfDay = (at: Date): Date => new Date(`${at.toISOString().slice(0, 10)}T00:00:00Z`)

const isOverdue = ({ due_on, status }: { due_on: string | null; status: string }, now: Date): boolean =>
  due_on !== null && due_on < now.toISOString().slice(0, 10) && (status === 'todo' || status === 'in_progress')
