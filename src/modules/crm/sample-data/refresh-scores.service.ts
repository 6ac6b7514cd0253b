import type { TenantTx } from '#platform/db'
import { lockLeads } from '../people/lead-records/leads.queries.ts'
import { rescoreLeads } from '../people/scoring/rescore-leads.service.ts'

/** Sample activities lie in the past, so scores are as of then until this decays them. */
export async function refreshSampleScores(tx: TenantTx, leadIds: readonly string[], now: Date): Promise<void> {
  await rescoreLeads(tx, await lockLeads(tx, leadIds), { cause: 'decay', now })
}
