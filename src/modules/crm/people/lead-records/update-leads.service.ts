import type { TenantTx } from '#platform/db'
import {
  type LeadColumns,
  type LeadRow,
  type LeadUpdateOptions,
  updateLeadRows,
  updateLeadRowsEach,
  type ValuesOfLead,
} from './leads.queries.ts'

/** One statement per set of columns. */
export async function updateLeads(
  tx: TenantTx,
  updates: readonly ValuesOfLead[],
  options?: LeadUpdateOptions,
): Promise<Map<string, LeadRow>> {
  const groups = Map.groupBy(updates, ({ columns }) => Object.keys(columns).sort().join())
  const updated = new Map<string, LeadRow>()
  for (const group of groups.values())
    for (const lead of await updateGroup(tx, group, options)) updated.set(lead.id, lead)
  return updated
}

function updateGroup(tx: TenantTx, group: readonly ValuesOfLead[], options?: LeadUpdateOptions): Promise<LeadRow[]> {
  const columns: LeadColumns = group[0]!.columns
  const values = JSON.stringify(columns)
  const haveSameValues = group.every(
    (update) => update.columns === columns || JSON.stringify(update.columns) === values,
  )
  const ids = group.map(({ id }) => id)
  return haveSameValues ? updateLeadRows(tx, ids, columns, options) : updateLeadRowsEach(tx, group, options)
}
