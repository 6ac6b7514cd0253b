import { retryOnContention } from '#platform/db'
import { defineTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { attributeMarkedDeals } from './attribution.service.ts'
import { listTenantsWithMarks } from './marks.queries.ts'

/** One job per workspace calculates all changes since the last one. */
export const attributeDealsSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineTenantSchedule('marketing.attribute_deals', '* * * * *', {
    listTenants: listTenantsWithMarks,
    async runForTenant({ inTenant, signal }) {
      do signal.throwIfAborted()
      while (await retryOnContention(() => inTenant((tx) => attributeMarkedDeals(tx, clock.now())), signal))
    },
  })
