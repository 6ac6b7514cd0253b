import { runTenantSchedule, type startTestApp } from '#testing'
import { url } from '../../../crm/deals/opportunities/opportunities.fixture.ts'
import { type Acme, campaignsUrl } from '../campaigns/campaigns.fixture.ts'
import { attributeDealsSchedule } from './mark-deals.jobs.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>

/** Calculates the touches of all marked deals. */
export const attributeDeals = ({ db, systemDb, services }: TestApp) =>
  runTenantSchedule({ db, systemDb }, attributeDealsSchedule(services))

export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
export const win = (acme: Acme, dealId: string) => acme.manager.patch(`${url}${dealId}`, { stage_key: 'closed_won' })

export const listOpps = async (acme: Acme, campaignId: string, query = '') =>
  (await acme.viewer.get(`${campaignsUrl}${campaignId}/opps${query}`)).body.items

/** Position, first, last and linear credit of the influenced deals. */
export const creditOf = async (acme: Acme, campaignId: string): Promise<string[]> =>
  (await listOpps(acme, campaignId)).map(
    ({ credit, position, of }: { credit: Record<string, { amount: string }>; position: number; of: number }) =>
      `${position}/${of} ${credit.first_touch!.amount} ${credit.last_touch!.amount} ${credit.linear!.amount}`,
  )
