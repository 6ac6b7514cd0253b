import type { TenantTx } from '#platform/db'
import { lockLeads } from '../people/lead-records/leads.queries.ts'
import { getScoringConfig, rescoreLeads } from '../people/scoring/rescore-leads.service.ts'
import { listStaleGrades, restoreContactLinks } from './lead-integrity.queries.ts'

export async function findStaleGrades(tx: TenantTx, limit: number): Promise<string[]> {
  const { grade_thresholds } = await getScoringConfig(tx)
  return await listStaleGrades(tx, grade_thresholds, limit)
}

export async function repairScores(tx: TenantTx, leadIds: readonly string[], now: Date): Promise<number> {
  const leads = await lockLeads(tx, leadIds)
  const rescored = await rescoreLeads(tx, leads, { cause: 'integrity', now })
  return rescored.filter((lead, index) => lead !== leads[index]).length
}

export async function repairContactLinks(tx: TenantTx, leadIds: readonly string[]): Promise<number> {
  await lockLeads(tx, leadIds)
  return await restoreContactLinks(tx, leadIds)
}
