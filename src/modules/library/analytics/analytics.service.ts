import { findUserNames, listTeamsOfUsers } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { rateOf, toRate } from '#platform/statistics'
import { getVisibleItem } from '../content/content.queries.ts'
import { isOwnerOrManager } from '../content/content.rules.ts'
import { freshnessScore, isStale } from '../content/freshness.rules.ts'
import { readViewer } from '../content/viewer.service.ts'
import {
  type AnalyticsRange,
  countMeasuredViews,
  countUniqueViewers,
  findItemStats,
  listDailyCells,
  listPageReads,
  listRoomViews,
  listUserViews,
  listVersionViews,
  readMedianSeconds,
} from './analytics.queries.ts'
import { classifyDecay, pageDropoff, trendRate, viewsByTeam } from './analytics.rules.ts'
import type { AnalyticsQuery, ContentAnalytics } from './analytics.schemas.ts'
import { readInfluence } from './influence.service.ts'
import { roomNamePoint } from './room-names.ts'

const topViewerCount = 20
const dayMs = 86_400_000

export async function getContentAnalytics(
  tx: TenantTx,
  { clock, registry }: Pick<Services, 'clock' | 'registry'>,
  itemId: string,
  { days, audience }: AnalyticsQuery,
): Promise<ContentAnalytics> {
  const now = clock.now()
  const viewer = await readViewer(tx)
  const item = await getVisibleItem(tx, itemId, viewer)
  const today = Math.floor(now.getTime() / dayMs)
  const range: AnalyticsRange = { itemId, from: new Date((today - days + 1) * dayMs), audience }
  const [cells, stats, uniqueViewers, median, pageReads, measuredViews, userViews, roomViews, versions] =
    await Promise.all([
      listDailyCells(tx, range),
      findItemStats(tx, itemId),
      countUniqueViewers(tx, range),
      readMedianSeconds(tx, range),
      listPageReads(tx, range),
      countMeasuredViews(tx, range),
      listUserViews(tx, range),
      listRoomViews(tx, range),
      listVersionViews(tx, range),
    ])
  const userIds = userViews.map(({ user_id }) => user_id)
  const top = isOwnerOrManager(item, viewer) ? userViews.slice(0, topViewerCount) : null
  const memberships = await listTeamsOfUsers(tx, userIds)
  const names = await findUserNames(tx, top?.map(({ user_id }) => user_id) ?? [])
  const rooms = await nameRooms(tx, registry, roomViews)
  const sum = (field: 'views' | 'measured' | 'seconds' | 'completions' | 'downloads' | 'public_downloads') =>
    cells.reduce((total, cell) => total + cell[field], 0)
  const measured = sum('measured')
  const usage = { views28d: stats?.views_28d ?? 0, viewsPrev28d: stats?.views_prev_28d ?? 0 }
  return {
    item_id: itemId,
    days,
    audience,
    views: sum('views'),
    measured_views: measured,
    unique_viewers: uniqueViewers,
    average_seconds: measured === 0 ? null : toRate(sum('seconds') / measured),
    median_seconds: median,
    completion_rate: rateOf(sum('completions'), measured),
    downloads: sum('downloads'),
    public_downloads: sum('public_downloads'),
    heat: stats?.heat ?? 0,
    views_28d: usage.views28d,
    views_prev_28d: usage.viewsPrev28d,
    trend_rate: trendRate(usage),
    decay: classifyDecay(
      { ...usage, publishedAt: item.published_at, lastViewedAt: stats?.last_viewed_at ?? null },
      now,
    ),
    freshness_score: freshnessScore(item, now),
    is_stale: isStale(item, now),
    influenced: await readInfluence(tx, itemId, now),
    by_day: cells.map(({ day, views, seconds, completions, downloads }) => ({
      day,
      views,
      seconds,
      completions,
      downloads,
    })),
    by_team: viewsByTeam(userViews, memberships),
    by_room: rooms,
    top_viewers:
      top?.map(({ user_id, views, seconds }) => ({
        user: { id: user_id, name: names.get(user_id) ?? '' },
        views,
        seconds,
      })) ?? null,
    page_dropoff: pageDropoff(pageReads, measuredViews),
    versions,
  }
}

type RoomViews = Awaited<ReturnType<typeof listRoomViews>>

/** Leaves out rooms that no longer exist. */
async function nameRooms(tx: TenantTx, { extensionsOf }: Services['registry'], rooms: RoomViews) {
  const ids = rooms.map(({ room_id }) => room_id)
  const found = await Promise.all(extensionsOf(roomNamePoint).map((findNames) => findNames(tx, ids)))
  const names = new Map(found.flatMap((byId) => [...byId]))
  return rooms.flatMap((room) => {
    const name = names.get(room.room_id)
    return name === undefined ? [] : [{ ...room, name }]
  })
}
