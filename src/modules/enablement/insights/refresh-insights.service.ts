import type { DealFacts } from '#modules/crm'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { listInfluences } from '../content-analytics/analytics.queries.ts'
import { toInfluenceWindow } from '../content-analytics/influence.rules.ts'
import { readEnablementSettings } from '../settings/enablement-settings.ts'
import { calculateInsights, listAllDealFacts } from './calculate-insights.service.ts'
import {
  deleteInfluencesOfOthers,
  deleteInsightMarks,
  listDealIdsWithViewsSince,
  listInsightMarkIds,
  lockInsightState,
  replaceInfluences,
  updateInsightState,
  upsertSnapshot,
} from './influences.queries.ts'

/** The longest period that can be requested. */
const influenceDays = 365
export const snapshotDays = 90
export const snapshotKey = `days:${snapshotDays}`

/** Brings influences and the stored insights up to date. Running it twice changes nothing. */
export async function refreshInsights(tx: TenantTx, now: Date): Promise<void> {
  const { since, window_days } = await lockInsightState(tx)
  const markIds = await listInsightMarkIds(tx)
  const { attribution_window_days: windowDays } = await readEnablementSettings(tx)
  const from = daysLater(now, -influenceDays)
  const deals = await listAllDealFacts(tx, from)
  await refreshInfluences(tx, deals, { since: windowDays === window_days ? since : null, windowDays, now })
  const facts = await calculateInsights(tx, { days: snapshotDays, now, deals })
  await upsertSnapshot(tx, snapshotKey, facts, now)
  await updateInsightState(tx, windowDays)
  await deleteInsightMarks(tx, markIds)
}

type Range = { since: Date | null; windowDays: number; now: Date }

/** Calculates the closed deals that changed or whose content was viewed since then, or all of them. */
async function refreshInfluences(
  tx: TenantTx,
  deals: readonly DealFacts[],
  { since, windowDays, now }: Range,
): Promise<void> {
  const closed = deals.filter(({ closed_at }) => closed_at !== null)
  const viewed = since ? await listDealIdsWithViewsSince(tx, since) : new Set<string>()
  const changed = since ? closed.filter(({ id, updated_at }) => updated_at > since || viewed.has(id)) : closed
  const closedAt = new Map(changed.map(({ id, closed_at }) => [id, closed_at!]))
  const influences = await listInfluences(
    tx,
    changed.map((deal) => toInfluenceWindow(deal, { windowDays, now })),
  )
  await replaceInfluences(
    tx,
    changed.map(({ id }) => id),
    influences.map((influence) => ({ ...influence, closed_at: closedAt.get(influence.opportunity_id)! })),
  )
  await deleteInfluencesOfOthers(
    tx,
    daysLater(now, -influenceDays),
    closed.map(({ id }) => id),
  )
}
