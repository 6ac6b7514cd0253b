import type { TenantTx } from '#platform/db'
import { type LeadRow, lockLead } from '../leads/leads.queries.ts'
import { deleteComponent, storeComponent } from './scoring.queries.ts'
import { rescoreLead } from './scoring.service.ts'

/**
 * Points another module adds to a lead's score, under a key of its own such as `survey:{id}`: from -100 to 100, or null to
 * take them back.
 */
export async function setScoreComponent(
  tx: TenantTx,
  leadId: string,
  key: string,
  label: string,
  points: number | null,
  now: Date,
): Promise<LeadRow> {
  await lockLead(tx, leadId)
  if (points === null) await deleteComponent(tx, leadId, key)
  else await storeComponent(tx, leadId, { key, label, points }, now)
  return await rescoreLead(tx, leadId, { cause: 'component', now })
}
