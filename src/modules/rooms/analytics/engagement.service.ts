import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { sendRoomAlert } from '../alerts/alerts.service.ts'
import { listRoomItemRows } from '../items/items.queries.ts'
import { isShown, readRoomItemContent } from '../items/room-content.service.ts'
import { roomEngagementChanged } from '../rooms.events.ts'
import { listViewedItemIds, lockRoomEngagement, readVisitTotals, updateEngagement } from './engagement.queries.ts'
import { engagementDays, hotScore, scoreOf } from './engagement.rules.ts'

const dayMs = 86_400_000
const hotAlertDays = 7

export async function readEngagement(tx: TenantTx, roomId: string, now: Date) {
  const since = daysLater(now, -engagementDays)
  const [totals, viewedIds, items] = await Promise.all([
    readVisitTotals(tx, roomId, since),
    listViewedItemIds(tx, roomId, since),
    listRoomItemRows(tx, roomId),
  ])
  const shown = (await readRoomItemContent(tx, items)).filter((item) => item.row.kind === 'content' && isShown(item))
  const viewed = new Set(viewedIds)
  const score = scoreOf({
    visitors: totals.visitors,
    seconds: totals.seconds,
    visibleItems: shown.length,
    viewedItems: shown.filter(({ row }) => viewed.has(row.id)).length,
    daysSinceVisit: totals.last_at && Math.max(0, now.getTime() - totals.last_at.getTime()) / dayMs,
  })
  return { score, firstAt: totals.first_at, lastAt: totals.last_at }
}

/** Stores the score, because lists sort by it. */
export async function storeEngagement(tx: TenantTx, roomId: string, now: Date): Promise<void> {
  const room = await lockRoomEngagement(tx, roomId)
  if (!room) return
  const { score, firstAt, lastAt } = await readEngagement(tx, roomId, now)
  const isHot = (score.value ?? 0) >= hotScore && (room.engagement_score ?? 0) < hotScore
  const isAlerted = isHot && (room.hot_alert_at === null || daysLater(room.hot_alert_at, hotAlertDays) <= now)
  await updateEngagement(tx, roomId, {
    engagement_score: score.value,
    engagement_band: score.band,
    first_external_visit_at: firstAt,
    last_external_visit_at: lastAt,
    ...(isAlerted && { hot_alert_at: now }),
  })
  if (score.band !== room.engagement_band)
    await emit(tx, roomEngagementChanged, room, { score: score.value, from: room.engagement_band, to: score.band })
  if (isAlerted) await sendRoomAlert(tx, room, { alert: 'hot' })
}
