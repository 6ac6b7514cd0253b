import { settingsUpdated } from '#events/identity'
import { listOpenDealIds } from '#modules/crm'
import { retryOnContention, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import {
  defineFrequentTenantSchedule,
  defineJob,
  defineJobHandler,
  defineTenantSchedule,
  enqueue,
  type JobContext,
} from '#platform/jobs'
import type { Services } from '#platform/module'
import { subscribe } from '#platform/outbox'
import { strict } from '#platform/schema'
import { listTenantsWithCampaigns } from '../campaigns/campaigns.queries.ts'
import { attributeMarkedDeals } from './attribution.service.ts'
import { insertAttributionMarks, listTenantsWithMarks } from './marks.queries.ts'
import { listOpenAttributedDeals } from './touches.queries.ts'

const batchSize = 500
const markOpenDealsJob = defineJob('marketing.mark_open_deals', 'bulk', strict({}))

/** Another window or basis gives touches to deals that have none, so all open deals are marked. */
export const onAttributionSettingsChanged = subscribe(
  settingsUpdated,
  'marketing.follow_attribution_settings',
  async (tx, { data: { section, changed } }) => {
    if (section === 'crm' && changed.some((path) => path.startsWith('attribution')))
      await enqueue(tx, markOpenDealsJob, {}, { singletonKey: 'attribution' })
  },
  { inTransaction: true },
)

export const markOpenDealsHandler = defineJobHandler(markOpenDealsJob, (context) => markDeals(context, listOpenDealIds))

/** Exchange rates change the amounts of open deals without an event per deal. */
export const refreshTouchesSchedule = defineTenantSchedule('marketing.refresh_touches', '57 2 * * *', {
  listTenants: listTenantsWithCampaigns,
  runForTenant: (context) => markDeals(context, listOpenAttributedDeals),
})

type ListDeals = (tx: TenantTx, after: string, limit: number) => Promise<string[]>

async function markDeals(
  { inTenant, signal }: Pick<JobContext, 'inTenant' | 'signal'>,
  listDeals: ListDeals,
): Promise<void> {
  for (let after: string | undefined = nilUuid; after !== undefined; ) {
    signal.throwIfAborted()
    const from: string = after
    after = await inTenant(async (tx) => {
      const ids = await listDeals(tx, from, batchSize)
      await insertAttributionMarks(
        tx,
        ids.map((record_id) => ({ record_type: 'opportunity', record_id })),
      )
      return ids.length === batchSize ? ids.at(-1) : undefined
    })
  }
}

export const attributeDealsSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineFrequentTenantSchedule('marketing.attribute_deals', '* * * * *', {
    listTenants: listTenantsWithMarks,
    async runForTenant({ inTenant, signal }) {
      do signal.throwIfAborted()
      while (await retryOnContention(() => inTenant((tx) => attributeMarkedDeals(tx, clock.now())), signal))
    },
  })
