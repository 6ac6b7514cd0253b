import { findUserNames } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { moneyOf } from '#platform/money'
import { removeHiddenValues } from '../custom-values/custom-values.queries.ts'
import { countDuplicates } from '../duplicates/duplicates.service.ts'
import type { LeadRow, LeadSummaryRow } from '../lead-records/leads.queries.ts'
import type { Lead, LeadSummary } from '../lead-records/leads.schemas.ts'
import { toUserReference } from '../records/references.rules.ts'
import { deriveSlaStatus } from '../sla/sla.rules.ts'
import { getLeadWithDuplicateCount } from './get-lead.queries.ts'

export async function toLeadSummaries(
  tx: TenantTx,
  rows: readonly LeadSummaryRow[],
  now: Date,
): Promise<LeadSummary[]> {
  const owners = await findUserNames(
    tx,
    rows.flatMap(({ owner_id }) => owner_id ?? []),
  )
  return rows.map((row) => toLeadSummary(row, owners, now))
}

export async function getLeadDetails(tx: TenantTx, id: string, now: Date): Promise<Lead> {
  const { duplicate_count, ...row } = await getLeadWithDuplicateCount(tx, id)
  return await withDuplicateCount(tx, row, duplicate_count, now)
}

export async function toLeadDetails(tx: TenantTx, row: LeadRow, now: Date): Promise<Lead> {
  return await withDuplicateCount(tx, row, await countDuplicates(tx, row), now)
}

async function withDuplicateCount(tx: TenantTx, row: LeadRow, count: number, now: Date): Promise<Lead> {
  const custom = await removeHiddenValues(tx, 'lead', row.custom)
  const [summary] = await toLeadSummaries(tx, [{ ...row, custom }], now)
  return { ...summary!, score_reasons: row.score_reasons as Lead['score_reasons'], duplicate_count: count }
}

export function toLeadSummary(row: LeadSummaryRow, owners: ReadonlyMap<string, string>, now: Date): LeadSummary {
  return {
    ...(row as unknown as LeadSummary),
    annual_revenue: moneyOf(row.annual_revenue_minor, row.annual_revenue_currency),
    owner: toUserReference(owners, row.owner_id),
    sla_status: deriveSlaStatus(row, now),
  }
}
