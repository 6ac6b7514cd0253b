import { baseCurrencyOf, findUserNames, timezoneOf, toReferenceOrNull } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { moneyOf, toMoney } from '#platform/money'
import { removeHiddenValues } from '../../records/custom-values/custom-values.queries.ts'
import { findAccountNames, findContactNames } from '../../records/references/record-names.queries.ts'
import { listAllStages, listPipelineRows } from '../pipelines/pipelines.queries.ts'
import { calculateExpectedMinor, toProbabilityRate } from '../pipelines/pipelines.rules.ts'
import { listOpportunitiesById, type OpportunityRow, type OpportunitySummaryRow } from './opportunities.queries.ts'
import type { DealContact, ListedOpportunity, Opportunity, OpportunitySummary } from './opportunities.schemas.ts'
import { listDealContacts } from './opportunity-contacts.queries.ts'

const dayMs = 86_400_000

export async function toOpportunitySummaries(
  tx: TenantTx,
  rows: readonly OpportunitySummaryRow[],
  now: Date,
): Promise<OpportunitySummary[]> {
  if (!rows.length) return []
  const context = await loadSummaryContext(tx, rows, now)
  return rows.map((row) => {
    const { account_id: _, owner_id: __, stage_entered_at: ___, ...fields } = row
    return { ...fields, ...toSummaryFields(row, context) } as OpportunitySummary
  })
}

export async function toListedOpportunities(
  tx: TenantTx,
  rows: readonly OpportunityRow[],
  now: Date,
): Promise<Required<ListedOpportunity>[]> {
  if (!rows.length) return []
  const context = await loadContext(tx, rows, now)
  return rows.map((row) => toListedOpportunity(row, context))
}

export async function toOpportunityDetails(tx: TenantTx, row: OpportunityRow, now: Date): Promise<Opportunity> {
  return (await showOpportunities(tx, [row], now))[0]!
}

export async function listOpportunityDetails(tx: TenantTx, ids: readonly string[], now: Date): Promise<Opportunity[]> {
  return await showOpportunities(tx, await listOpportunitiesById(tx, ids), now)
}

async function showOpportunities(tx: TenantTx, rows: readonly OpportunityRow[], now: Date): Promise<Opportunity[]> {
  const summaries = await toListedOpportunities(tx, await removeHiddenValues(tx, 'opportunity', rows), now)
  const dealContacts = await listDealContacts(
    tx,
    rows.map(({ id }) => id),
  )
  const contactsOf = Map.groupBy(dealContacts, ({ opportunity_id }) => opportunity_id)
  return summaries.map((summary) => ({ ...summary, contacts: (contactsOf.get(summary.id) ?? []).map(toDealContact) }))
}

export async function listDealContactDetails(tx: TenantTx, opportunityId: string): Promise<DealContact[]> {
  return (await listDealContacts(tx, [opportunityId])).map(toDealContact)
}

type DealContactRow = Awaited<ReturnType<typeof listDealContacts>>[number]

const toDealContact = ({ contact_id, role, created_at, name, email, phone }: DealContactRow): DealContact => ({
  contact_id,
  contact: { id: contact_id, name: name ?? email ?? phone ?? '' },
  role: role as DealContact['role'],
  created_at,
})

type SummaryContext = Awaited<ReturnType<typeof loadSummaryContext>>
type DisplayContext = Awaited<ReturnType<typeof loadContext>>

async function loadSummaryContext(tx: TenantTx, rows: readonly OpportunitySummaryRow[], now: Date) {
  const [stages, accounts, owners, base, timezone] = await Promise.all([
    listAllStages(tx),
    findAccountNames(
      tx,
      rows.map(({ account_id }) => account_id),
    ),
    findUserNames(
      tx,
      rows.flatMap(({ owner_id }) => owner_id ?? []),
    ),
    baseCurrencyOf(tx),
    timezoneOf(tx),
  ])
  return {
    now,
    today: dayInTimezone(now, timezone),
    base,
    accounts,
    owners,
    stages: new Map(stages.map(({ pipeline_id, key, label }) => [`${pipeline_id} ${key}`, label])),
  }
}

async function loadContext(tx: TenantTx, rows: readonly OpportunityRow[], now: Date) {
  const [context, pipelines, contacts] = await Promise.all([
    loadSummaryContext(tx, rows, now),
    listPipelineRows(tx),
    findContactNames(
      tx,
      rows.flatMap(({ primary_contact_id }) => primary_contact_id ?? []),
    ),
  ])
  return { ...context, contacts, pipelines: new Map(pipelines.map(({ id, name }) => [id, name])) }
}

function toSummaryFields(row: OpportunitySummaryRow, context: SummaryContext) {
  const { amount_base_minor: baseMinor, stage_entered_at } = row
  return {
    account: toReferenceOrNull(context.accounts, row.account_id),
    owner: toReferenceOrNull(context.owners, row.owner_id),
    stage_label: context.stages.get(`${row.pipeline_id} ${row.stage_key}`) ?? row.stage_key,
    amount: moneyOf(row.amount_minor, row.amount_currency),
    amount_base: moneyOf(baseMinor, context.base),
    probability_rate: toProbabilityRate(row.probability_basis),
    is_overdue: row.kind === 'open' && row.close_on < context.today,
    days_in_stage: Math.max(0, Math.floor((context.now.getTime() - stage_entered_at.getTime()) / dayMs)),
  }
}

function toListedOpportunity(row: OpportunityRow, context: DisplayContext): Required<ListedOpportunity> {
  const { amount_minor: minor, amount_currency: currency, primary_contact_id } = row
  return {
    ...(row as unknown as Required<ListedOpportunity>),
    ...toSummaryFields(row, context),
    primary_contact: toReferenceOrNull(context.contacts, primary_contact_id),
    pipeline: { id: row.pipeline_id, name: context.pipelines.get(row.pipeline_id) ?? '' },
    expected_amount:
      minor === null || currency === null
        ? null
        : toMoney(calculateExpectedMinor(minor, row.probability_basis), currency),
  }
}
