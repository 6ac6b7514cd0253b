import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { leadSlaBreached } from '../crm.events.ts'
import { timezoneOf } from '../settings/crm-settings.queries.ts'
import type { CrmSettings } from '../settings/crm-settings.schemas.ts'
import { changeLeadFields, type LeadRow, lockAnyLead } from './leads.queries.ts'
import { slaDueAt } from './sla.rules.ts'

/** By when a new lead of this grade must be answered. */
export async function dueAtFor(tx: TenantTx, lead: LeadRow, { sla }: CrmSettings): Promise<Date> {
  const minutes = sla.minutes[lead.grade.toLowerCase() as 'a' | 'b' | 'c']
  if (!sla.business_hours_only) return slaDueAt(lead.created_at, minutes, null)
  const timezone = sla.business_hours.timezone ?? (await timezoneOf(tx))
  return slaDueAt(lead.created_at, minutes, { ...sla.business_hours, timezone })
}

/** Notes once that nobody answered in time. Gives back the instant to look again if it has not come yet. */
export async function noteBreach(tx: TenantTx, leadId: string, now: Date): Promise<Date | undefined> {
  const lead = await lockAnyLead(tx, leadId)
  if (!lead || lead.deleted_at || lead.first_responded_at || lead.sla_breached_at || !lead.sla_due_at) return undefined
  if (lead.sla_due_at > now) return lead.sla_due_at
  const changed = await changeLeadFields(tx, leadId, { sla_breached_at: now })
  await record(tx, 'lead.sla_breached', { id: leadId, label: lead.name, before: lead, after: changed })
  await emit(tx, leadSlaBreached, changed, { owner_id: lead.owner_id })
  return undefined
}
