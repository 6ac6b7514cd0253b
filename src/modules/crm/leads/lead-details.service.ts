import { findUserNames } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { moneyOf } from '#platform/money'
import { removeHiddenValues } from '../custom-values/custom-values.queries.ts'
import { countDuplicates } from '../duplicates/duplicates.service.ts'
import type { LeadRow, LeadSummaryRow } from '../lead-records/leads.queries.ts'
import type { Lead, LeadSummary } from '../lead-records/leads.schemas.ts'
import { toUserReference } from '../records/references.rules.ts'
import { deriveSlaStatus } from '../sla/sla.rules.ts'
import {
  getLeadWithDuplicateCount,
  type LeadWithDuplicateCount,
  listLeadsWithDuplicateCount,
} from './get-lead.queries.ts'

export async function toLeadSummaries(
  tx: TenantTx,
  rows: readonly LeadSummaryRow[],
  now: Date,
): Promise<LeadSummary[]> {
  const owners = await findOwnerNames(tx, rows)
  return rows.map((row) => toLeadSummary(row, owners, now))
}

export async function getLeadDetails(tx: TenantTx, id: string, now: Date): Promise<Lead> {
  return (await showLeads(tx, [await getLeadWithDuplicateCount(tx, id)], now))[0]!
}

/** Leaves out deleted and unknown leads. */
export async function listLeadDetails(tx: TenantTx, ids: readonly string[], now: Date): Promise<Lead[]> {
  return await showLeads(tx, await listLeadsWithDuplicateCount(tx, ids), now)
}

export async function toLeadDetails(tx: TenantTx, row: LeadRow, now: Date): Promise<Lead> {
  return (await showLeads(tx, [{ ...row, duplicate_count: await countDuplicates(tx, row) }], now))[0]!
}

async function showLeads(tx: TenantTx, rows: readonly LeadWithDuplicateCount[], now: Date): Promise<Lead[]> {
  const visible = await removeHiddenValues(tx, 'lead', rows)
  const owners = await findOwnerNames(tx, rows)
  return visible.map((row) => ({
    ...toLeadSummary(row, owners, now),
    score_reasons: row.score_reasons as Lead['score_reasons'],
    duplicate_count: row.duplicate_count,
  }))
}

const findOwnerNames = (tx: TenantTx, rows: readonly Pick<LeadSummaryRow, 'owner_id'>[]) =>
  findUserNames(
    tx,
    rows.flatMap(({ owner_id }) => owner_id ?? []),
  )

export function toLeadSummary(row: LeadSummaryRow, owners: ReadonlyMap<string, string>, now: Date): LeadSummary {
  return {
    ...(row as unknown as LeadSummary),
    annual_revenue: moneyOf(row.annual_revenue_minor, row.annual_revenue_currency),
    owner: toUserReference(owners, row.owner_id),
    sla_status: deriveSlaStatus(row, now),
  }
}
