import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { leadSlaBreached } from '../crm.events.ts'
import { type LeadRow, lockLeadIncludingDeleted, updateLeadRow } from '../lead-records/leads.queries.ts'
import { timezoneOf } from '../settings/crm-settings.queries.ts'
import type { CrmSettings } from '../settings/crm-settings.schemas.ts'
import { calculateSlaDueAt } from './sla.rules.ts'

export async function getSlaDueAt(tx: TenantTx, lead: LeadRow, { sla }: CrmSettings): Promise<Date> {
  const minutes = sla.minutes[lead.grade.toLowerCase() as 'a' | 'b' | 'c']
  if (!sla.business_hours_only) return calculateSlaDueAt(lead.created_at, minutes, null)
  const timezone = sla.business_hours.timezone ?? (await timezoneOf(tx))
  return calculateSlaDueAt(lead.created_at, minutes, { ...sla.business_hours, timezone })
}

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
