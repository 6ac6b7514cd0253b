import type { HomeContext } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { countLive } from '../cadences/cadence-records/enrollment-states.rules.ts'
import { listCadenceTotals } from '../cadences/cadence-records/send-counts.queries.ts'
import { listCampaignRows } from '../campaigns/campaigns/list-campaigns.queries.ts'
import { countRecentMembers, listRunningCadences } from './home.queries.ts'
import { type HomeAudience, maxCounted, maxHomeItems } from './home.schemas.ts'

const recentDays = 7

export async function getHomeAudience(
  tx: TenantTx,
  { userId }: UserActor,
  { now }: HomeContext,
): Promise<HomeAudience> {
  const ownActive = { owner_id: userId, status: ['active' as const] }
  const [{ items: campaigns }, cadences] = await Promise.all([
    listCampaignRows(tx, ownActive, { limit: maxHomeItems, offset: 0, count: 'none' }),
    listRunningCadences(tx, userId, maxHomeItems),
  ])
  const recent = { since: daysLater(now, -recentDays), limit: maxCounted }
  const [members, totals] = await Promise.all([
    countRecentMembers(tx, idsOf(campaigns), recent),
    listCadenceTotals(tx, idsOf(cadences)),
  ])
  return {
    campaigns: campaigns.map(({ id, name }) => {
      const { added = 0, responded = 0 } = members.get(id) ?? {}
      return { id, name, added_7d: added, responded_7d: responded }
    }),
    cadences: cadences.map((cadence) => ({ ...cadence, live_count: countLive(totals.get(cadence.id) ?? {}) })),
  }
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)
