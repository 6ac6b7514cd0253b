import { findUserNames, toReferenceOrNull, toUserReference } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { moneyOf } from '#platform/money'
import { removeHiddenValues } from '../../records/custom-values/custom-values.queries.ts'
import {
  findAccountNames,
  findContactNames,
  findOpportunityReferences,
} from '../../records/references/record-names.queries.ts'
import { countDuplicates } from '../duplicates/duplicates.service.ts'
import type { LeadRow, LeadSummaryRow, ListedLeadRow } from '../lead-records/leads.queries.ts'
import type { Lead, LeadSummary, ListedLead } from '../lead-records/leads.schemas.ts'
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
  const owners = await findUserNames(
    tx,
    rows.flatMap(({ owner_id }) => owner_id ?? []),
  )
  return rows.map((row) => toLeadSummary(row, owners, now))
}

export async function toListedLeads(tx: TenantTx, rows: readonly ListedLeadRow[], now: Date): Promise<ListedLead[]> {
  const names = await findNames(tx, rows)
  return rows.map((row) => toListedLead(row, names, now))
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
  const [visible, names] = await Promise.all([removeHiddenValues(tx, 'lead', rows), findNames(tx, rows)])
  return visible.map((row) => ({
    ...toListedLead(row, names, now),
    score_reasons: row.score_reasons as Lead['score_reasons'],
    duplicate_count: row.duplicate_count,
  }))
}

type Names = Awaited<ReturnType<typeof findNames>>

/** Reads the names of users and of the records that the leads were converted to. */
async function findNames(tx: TenantTx, rows: readonly ListedLeadRow[]) {
  const idsOf = (pick: (row: ListedLeadRow) => string | null) => rows.flatMap((row) => pick(row) ?? [])
  const userIds = [...idsOf((row) => row.owner_id), ...idsOf((row) => row.first_responder_id)]
  const [users, accounts, contacts, deals] = await Promise.all([
    findUserNames(tx, userIds),
    findAccountNames(
      tx,
      idsOf((row) => row.converted_account_id),
    ),
    findContactNames(
      tx,
      idsOf((row) => row.converted_contact_id),
    ),
    findOpportunityReferences(
      tx,
      idsOf((row) => row.converted_opportunity_id),
    ),
  ])
  return { users, accounts, contacts, deals: new Map([...deals].map(([id, { name }]) => [id, name])) }
}

function toListedLead(row: ListedLeadRow, { users, accounts, contacts, deals }: Names, now: Date) {
  return {
    ...(row as unknown as Required<ListedLead>),
    ...toLeadSummary(row, users, now),
    annual_revenue: moneyOf(row.annual_revenue_minor, row.annual_revenue_currency),
    first_responder: toUserReference(users, row.first_responder_id),
    converted_account: toReferenceOrNull(accounts, row.converted_account_id),
    converted_contact: toReferenceOrNull(contacts, row.converted_contact_id),
    converted_opportunity: toReferenceOrNull(deals, row.converted_opportunity_id),
  }
}

/** Leaves out the columns that a summary only needs to derive others. */
function toLeadSummary(
  { owner_id, sla_breached_at, ...row }: LeadSummaryRow,
  owners: ReadonlyMap<string, string>,
  now: Date,
): LeadSummary {
  return {
    ...(row as unknown as LeadSummary),
    owner: toUserReference(owners, owner_id),
    sla_status: deriveSlaStatus({ ...row, sla_breached_at }, now),
  }
}
