import { raiseStatementTimeout, retryOnContention, type TenantTx } from '#platform/db'
import { defineFrequentTenantSchedule, defineTenantSchedule } from '#platform/jobs'
import {
  correctDealSums,
  deleteEmptyDealSums,
  foldDealDeltas,
  listTenantsWithDealDeltas,
  listTenantsWithDeals,
  lockDealSums,
} from './deal-sums.queries.ts'

const maxFolded = 10_000

export const foldDealDeltasSchedule = defineFrequentTenantSchedule('crm.fold_deal_deltas', '* * * * *', {
  listTenants: listTenantsWithDealDeltas,
  async runForTenant({ inTenant, signal }) {
    do signal.throwIfAborted()
    while (await retryOnContention(() => inTenant(foldBatch), signal))
  },
})

async function foldBatch(tx: TenantTx): Promise<boolean> {
  await lockDealSums(tx)
  return (await foldDealDeltas(tx, maxFolded)) === maxFolded
}

/** Triggers keep the sums exact; a difference is a defect, which is corrected and logged. */
export const checkDealSumsSchedule = defineTenantSchedule('crm.check_deal_sums', '33 1 * * *', {
  listTenants: listTenantsWithDeals,
  async runForTenant({ inTenant, signal, log }) {
    const corrected = await retryOnContention(
      () =>
        inTenant(async (tx) => {
          await lockDealSums(tx)
          await raiseStatementTimeout(tx, 60)
          await deleteEmptyDealSums(tx)
          return await correctDealSums(tx)
        }),
      signal,
    )
    if (corrected) log.error({ corrected }, 'forecast sums differed from the deals')
  },
})
