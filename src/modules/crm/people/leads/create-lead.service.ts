import type { Actor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { requireValue } from '#platform/errors'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import type { NewLead } from '../lead-records/leads.schemas.ts'
import { createLeads, type LeadServices, type NewLeadOptions } from './create-leads.service.ts'

export async function createLead(
  tx: TenantTx,
  actor: Actor,
  input: NewLead,
  services: LeadServices,
  options?: NewLeadOptions,
): Promise<LeadRow> {
  return requireValue((await createLeads(tx, actor, [input], services, options))[0]!)
}
