import { retryOnContention, type TenantTx } from '#platform/db'
import { defineFrequentTenantSchedule, defineTenantSchedule, enqueue } from '#platform/jobs'
import { listCountedDays, listTenantsWithCounts, listTenantsWithDeltas } from './rollups.queries.ts'
import { foldLeadDeltas, recountRollups, stopRollupsOfFewLeads } from './rollups.service.ts'

const daysPerBatch = 20
/** Reading more deltas can take longer than reading the rollups. */
const maxUnfolded = 500

export const foldLeadDeltasSchedule = defineFrequentTenantSchedule('crm.fold_lead_deltas', '* * * * *', {
  listTenants: listTenantsWithDeltas,
  async runForTenant({ inTenant, signal }) {
    do signal.throwIfAborted()
    while (await retryOnContention(() => inTenant(foldLeadDeltas), signal))
  },
})

export async function requestFold(tx: TenantTx, unfolded: number): Promise<void> {
  if (unfolded > maxUnfolded) await enqueue(tx, foldLeadDeltasSchedule.job, {}, { singletonKey: 'schedule' })
}

/** Triggers keep the rollups exact; a difference is a defect, which is corrected and logged. */
export const recountRollupsSchedule = defineTenantSchedule('crm.recount_rollups', '29 1 * * *', {
  listTenants: listTenantsWithCounts,
  async runForTenant({ inTenant, signal, log }) {
    const days = await inTenant(listCountedDays)
    for (let done = 0; done < days.length; done += daysPerBatch) {
      signal.throwIfAborted()
      const batch = days.slice(done, done + daysPerBatch)
      const corrected = await retryOnContention(() => inTenant((tx) => recountRollups(tx, batch)), signal)
      if (corrected) log.error({ corrected, from: batch[0], to: batch.at(-1) }, 'lead rollups differed from the leads')
    }
    await retryOnContention(() => inTenant(stopRollupsOfFewLeads), signal)
  },
})
