import type { TenantTx } from '#platform/db'
import { lockLeads } from '../lead-records/leads.queries.ts'
import { rescoreLeads } from '../scoring/rescore-leads.service.ts'

/** Sample activities lie in the past, so scores are as of then until this decays them. */
export async function refreshSampleScores(tx: TenantTx, leadIds: readonly string[], now: Date): Promise<void> {
  await rescoreLeads(tx, await lockLeads(tx, leadIds), { cause: 'decay', now })
}
