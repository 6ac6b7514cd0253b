import type { TenantTx } from '#platform/db'
import { derivedFrom } from '../leads/lead-values.ts'
import { changeLeadFields, type LeadRow } from '../leads/leads.queries.ts'
import { storeTags } from '../persons/tags.queries.ts'

type Retirement = { into: string; by: string; now: Date }

/** They are gone, and say where to. Their tags find nobody any more. */
export async function retireLeads(
  tx: TenantTx,
  leads: readonly LeadRow[],
  { into, by, now }: Retirement,
): Promise<void> {
  for (const { id } of leads) {
    await changeLeadFields(tx, id, { merged_into_id: into, deleted_at: now, deleted_by: by })
    await storeTags(tx, 'lead', id, [])
  }
}

/** Writes what a lead says from now on, and what follows from it. */
export async function writeLead(tx: TenantTx, lead: LeadRow, values: Partial<LeadRow>): Promise<LeadRow> {
  const { utm, custom, ...columns } = values
  const written = await changeLeadFields(tx, lead.id, {
    ...columns,
    ...derivedFrom({ ...lead, ...columns }),
    ...(utm !== undefined && { utm: utm === null ? null : JSON.stringify(utm) }),
    ...(custom !== undefined && { custom: JSON.stringify(custom) }),
  })
  await storeTags(tx, 'lead', lead.id, written.tags)
  return written
}
