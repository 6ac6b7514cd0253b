import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { leadSlaBreached } from '../../crm.events.ts'
import { lockLeadIncludingDeleted, updateLeadRow } from '../lead-records/leads.queries.ts'

/** Records the breach if there was no response in time. Returns the deadline if it has not passed yet. */
export async function checkSlaBreach(tx: TenantTx, leadId: string, now: Date): Promise<Date | undefined> {
  const lead = await lockLeadIncludingDeleted(tx, leadId)
  if (!lead || lead.deleted_at || lead.first_responded_at || lead.sla_breached_at || !lead.sla_due_at) return undefined
  if (lead.sla_due_at > now) return lead.sla_due_at
  const changed = await updateLeadRow(tx, leadId, { sla_breached_at: now })
  await recordAudit(tx, 'lead.sla_breached', { id: leadId, label: lead.name, before: lead, after: changed })
  await emit(tx, leadSlaBreached, changed, { owner_id: lead.owner_id })
  return undefined
}
