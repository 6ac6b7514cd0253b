import { namesOfUsers } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { moneyOf } from '#platform/money'
import { findTwins } from '../duplicates/duplicates.queries.ts'
import type { LeadRow, ListedLead } from './leads.queries.ts'
import type { Lead, LeadSummary } from './leads.schemas.ts'
import { slaStatus } from './sla.rules.ts'

/** Leads as people see them in a list. */
export async function showLeads(tx: TenantTx, rows: readonly ListedLead[], now: Date): Promise<LeadSummary[]> {
  const owners = await namesOfUsers(
    tx,
    rows.flatMap(({ owner_id }) => owner_id ?? []),
  )
  return rows.map((row) => toLead(row, owners, now))
}

/** One lead, with what is only asked of one: why it scored as it did, and how many seem to be the same person. */
export async function showLead(tx: TenantTx, row: LeadRow, now: Date): Promise<Lead> {
  const [summary] = await showLeads(tx, [row], now)
  const reasons = row.score_reasons as Lead['score_reasons']
  return { ...summary!, score_reasons: reasons, duplicate_count: (await findTwins(tx, row)).length }
}

export function toLead(row: ListedLead, owners: ReadonlyMap<string, string>, now: Date): LeadSummary {
  const { owner_id } = row
  return {
    ...(row as unknown as LeadSummary),
    annual_revenue: moneyOf(row.annual_revenue_minor, row.annual_revenue_currency),
    owner: owner_id === null ? null : { id: owner_id, name: owners.get(owner_id) ?? '' },
    sla_status: slaStatus(row, now),
  }
}
