import { sql } from 'kysely'
import { daysLater } from '#platform/clock'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx } from '#platform/db'

/** Lists tenants with a campaign that is due in some time zone: the day there is at most one later than in UTC. */
export function listTenantsWithDueCampaigns(system: SystemTx, now: Date): Promise<string[]> {
  const latest = daysLater(now, 1).toISOString().slice(0, 10)
  const isDue = sql<boolean>`(status = 'scheduled' and start_on <= ${latest}::date or status = 'active' and end_on < ${latest}::date)`
  return listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'marketing.campaigns', isDue))
}

export const listTenantsWithCampaigns = (system: SystemTx): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'marketing.campaigns'))
