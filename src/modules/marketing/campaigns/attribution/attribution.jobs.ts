import { retryOnContention } from '#platform/db'
import { defineFrequentTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { attributeMarkedDeals } from './attribution.service.ts'
import { listTenantsWithMarks } from './marks.queries.ts'

export const attributeDealsSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineFrequentTenantSchedule('marketing.attribute_deals', '* * * * *', {
    listTenants: listTenantsWithMarks,
    async runForTenant({ inTenant, signal }) {
      do signal.throwIfAborted()
      while (await retryOnContention(() => inTenant((tx) => attributeMarkedDeals(tx, clock.now())), signal))
    },
  })
