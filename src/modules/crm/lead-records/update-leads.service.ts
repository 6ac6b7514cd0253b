import type { TenantTx } from '#platform/db'
import { type LeadColumns, type LeadRow, type LeadUpdateOptions, updateLeadRows } from './leads.queries.ts'

type LeadUpdate = { id: string; columns: LeadColumns }

export async function updateLeads(
  tx: TenantTx,
  updates: readonly LeadUpdate[],
  options?: LeadUpdateOptions,
): Promise<Map<string, LeadRow>> {
  const groups = Map.groupBy(updates, ({ columns }) => JSON.stringify(columns))
  const updated = new Map<string, LeadRow>()
  for (const group of groups.values()) {
    const ids = group.map(({ id }) => id)
    for (const lead of await updateLeadRows(tx, ids, group[0]!.columns, options)) updated.set(lead.id, lead)
  }
  return updated
}
