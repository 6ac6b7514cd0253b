import type { TenantTx } from '#platform/db'
import { type LeadRow, lockLead } from '../lead-records/leads.queries.ts'
import { rescoreLead } from './rescore-leads.service.ts'
import { deleteScoreComponentRow, upsertScoreComponent } from './scoring.queries.ts'

/** Adds points (-100 to 100) of another module to a lead's score under a key such as `survey:{id}`; null removes them. */
export async function setScoreComponent(
  tx: TenantTx,
  leadId: string,
  key: string,
  label: string,
  points: number | null,
  now: Date,
): Promise<LeadRow> {
  await lockLead(tx, leadId)
  if (points === null) await deleteScoreComponentRow(tx, leadId, key)
  else await upsertScoreComponent(tx, leadId, { key, label, points }, now)
  return await rescoreLead(tx, leadId, { cause: 'component', now })
}
