import { retryOnContention } from '#platform/db'
import { defineFrequentTenantSchedule, defineTenantSchedule } from '#platform/jobs'
import { listTenantsWithDealDeltas, listTenantsWithDeals } from './deal-sums.queries.ts'
import { checkDealSums, foldDealSums } from './deal-sums.service.ts'

export const foldDealDeltasSchedule = defineFrequentTenantSchedule('crm.fold_deal_deltas', '* * * * *', {
  listTenants: listTenantsWithDealDeltas,
  async runForTenant({ inTenant, signal }) {
    do signal.throwIfAborted()
    while (await retryOnContention(() => inTenant(foldDealSums), signal))
  },
})

/** Triggers keep the sums exact; a difference is a defect, which is corrected and logged. */
export const checkDealSumsSchedule = defineTenantSchedule('crm.check_deal_sums', '33 1 * * *', {
  listTenants: listTenantsWithDeals,
  async runForTenant({ inTenant, signal, log }) {
    const corrected = await retryOnContention(() => inTenant(checkDealSums), signal)
    if (corrected) log.error({ corrected }, 'sums differed from the deals')
  },
})
