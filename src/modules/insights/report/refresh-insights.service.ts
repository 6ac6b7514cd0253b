import { type DealOutcome, listChangedDeals, listDealOutcomes } from '#modules/crm'
import { listDealIdsWithViewsSince, listInfluences, readContentSettings, toInfluenceWindow } from '#modules/library'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { calculateInsights } from './calculate-insights.service.ts'
import {
  deleteInsightMarks,
  hasInfluencesWithoutOutcome,
  listInsightMarkIds,
  lockInsightState,
  replaceInfluences,
  updateInsightState,
  upsertSnapshot,
} from './influences.queries.ts'

/** The longest period that can be requested. */
const influenceDays = 365
const dealBatchSize = 1_000
export const snapshotDays = 90
export const snapshotKey = `days:${snapshotDays}`

type Batches = { batchSize?: number }

/** Brings influences and the stored insights up to date. Running it twice changes nothing. */
export async function refreshInsights(
  tx: TenantTx,
  now: Date,
  { batchSize = dealBatchSize }: Batches = {},
): Promise<void> {
  const { since, window_days } = await lockInsightState(tx)
  const markIds = await listInsightMarkIds(tx)
  const { attribution_window_days: windowDays } = await readContentSettings(tx)
  const isPartial = windowDays === window_days && !(await hasInfluencesWithoutOutcome(tx))
  await refreshInfluences(tx, { since: isPartial ? since : null, windowDays, now, batchSize })
  const facts = await calculateInsights(tx, { days: snapshotDays, now })
  await upsertSnapshot(tx, snapshotKey, facts, now)
  await updateInsightState(tx, windowDays)
  await deleteInsightMarks(tx, markIds)
}

type Range = { since: Date | null; windowDays: number; now: Date; batchSize: number }

/** Calculates the deals that changed or whose content was viewed since then, or all of them. */
async function refreshInfluences(tx: TenantTx, { since, batchSize, ...range }: Range): Promise<void> {
  for (let after: string | undefined = nilUuid; after !== undefined; ) {
    const deals = await listChangedDeals(tx, since ?? new Date(0), { after, limit: batchSize })
    const [deleted, others] = [deals.filter(isDeleted), deals.filter((deal) => !isDeleted(deal))]
    await refreshDeals(tx, others, range)
    await replaceInfluences(tx, deleted.map(toId), [])
    after = deals.length === batchSize ? deals.at(-1)?.id : undefined
  }
  if (!since) return
  for (let after: string | undefined = nilUuid; after !== undefined; ) {
    const ids = await listDealIdsWithViewsSince(tx, since, { after, limit: batchSize })
    await refreshDeals(tx, await listDealOutcomes(tx, ids), range)
    after = ids.length === batchSize ? ids.at(-1) : undefined
  }
}

const isDeleted = ({ deleted_at }: { deleted_at: Date | null }) => deleted_at !== null
const toId = ({ id }: { id: string }) => id

/** Open deals have no influences. */
async function refreshDeals(
  tx: TenantTx,
  deals: readonly DealOutcome[],
  { windowDays, now }: Pick<Range, 'windowDays' | 'now'>,
): Promise<void> {
  const from = daysLater(now, -influenceDays)
  const closed = new Map(
    deals.flatMap((deal) => (deal.closed_at && deal.closed_at >= from ? [[deal.id, deal] as const] : [])),
  )
  const windows = [...closed.values()].map((deal) => toInfluenceWindow(deal, { windowDays, now }))
  const influences = await listInfluences(tx, windows)
  await replaceInfluences(
    tx,
    deals.map(toId),
    influences.map((influence) => {
      const { closed_at, kind, amount_base_minor } = closed.get(influence.opportunity_id)!
      return { ...influence, closed_at: closed_at!, is_won: kind === 'won', amount_base_minor }
    }),
  )
}
