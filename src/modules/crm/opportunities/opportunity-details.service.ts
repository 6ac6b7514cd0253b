import { findUserNames } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { toMoney } from '#platform/money'
import { removeHiddenValues } from '../custom-values/custom-values.queries.ts'
import { listAllStages, listPipelineRows } from '../pipelines/pipelines.queries.ts'
import { calculateExpectedMinor, toProbabilityRate } from '../pipelines/probability.rules.ts'
import { findAccountNames, findContactNames } from '../records/record-names.queries.ts'
import { toReferenceOrNull } from '../records/references.rules.ts'
import { baseCurrencyOf, timezoneOf } from '../settings/crm-settings.queries.ts'
import { listOpportunitiesById, type OpportunityRow } from './opportunities.queries.ts'
import type { DealContact, Opportunity, OpportunitySummary } from './opportunities.schemas.ts'
import { listDealContacts } from './opportunity-contacts.queries.ts'

const dayMs = 86_400_000

export async function toOpportunitySummaries(
  tx: TenantTx,
  rows: readonly OpportunityRow[],
  now: Date,
): Promise<OpportunitySummary[]> {
  if (!rows.length) return []
  const context = await loadContext(tx, rows, now)
  return rows.map((row) => toOpportunity(row, context))
}

export async function toOpportunityDetails(tx: TenantTx, row: OpportunityRow, now: Date): Promise<Opportunity> {
  return (await showOpportunities(tx, [row], now))[0]!
}

export async function listOpportunityDetails(tx: TenantTx, ids: readonly string[], now: Date): Promise<Opportunity[]> {
  return await showOpportunities(tx, await listOpportunitiesById(tx, ids), now)
}

async function showOpportunities(tx: TenantTx, rows: readonly OpportunityRow[], now: Date): Promise<Opportunity[]> {
  const summaries = await toOpportunitySummaries(tx, await removeHiddenValues(tx, 'opportunity', rows), now)
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

type DisplayContext = Awaited<ReturnType<typeof loadContext>>

async function loadContext(tx: TenantTx, rows: readonly OpportunityRow[], now: Date) {
  const idsOf = (pick: (row: OpportunityRow) => string | null) => rows.flatMap((row) => pick(row) ?? [])
  const pipelines = await listPipelineRows(tx)
  const stages = await listAllStages(tx)
  return {
    now,
    today: dayInTimezone(now, await timezoneOf(tx)),
    base: await baseCurrencyOf(tx),
    accounts: await findAccountNames(
      tx,
      idsOf((row) => row.account_id),
    ),
    contacts: await findContactNames(
      tx,
      idsOf((row) => row.primary_contact_id),
    ),
    owners: await findUserNames(
      tx,
      idsOf((row) => row.owner_id),
    ),
    pipelines: new Map(pipelines.map(({ id, name }) => [id, name])),
    stages: new Map(stages.map(({ pipeline_id, key, label }) => [`${pipeline_id} ${key}`, label])),
  }
}

function toOpportunity(row: OpportunityRow, context: DisplayContext): OpportunitySummary {
  const { amount_minor: minor, amount_currency: currency, amount_base_minor: baseMinor, stage_entered_at } = row
  const hasAmount = minor !== null && currency !== null
  return {
    ...(row as unknown as OpportunitySummary),
    account: toReferenceOrNull(context.accounts, row.account_id),
    primary_contact: toReferenceOrNull(context.contacts, row.primary_contact_id),
    owner: toReferenceOrNull(context.owners, row.owner_id),
    pipeline: { id: row.pipeline_id, name: context.pipelines.get(row.pipeline_id) ?? '' },
    stage_label: context.stages.get(`${row.pipeline_id} ${row.stage_key}`) ?? row.stage_key,
    amount: hasAmount ? toMoney(minor, currency) : null,
    amount_base: baseMinor === null ? null : toMoney(baseMinor, context.base),
    expected_amount: hasAmount ? toMoney(calculateExpectedMinor(minor, row.probability_basis), currency) : null,
    probability_rate: toProbabilityRate(row.probability_basis),
    is_overdue: row.kind === 'open' && row.close_on < context.today,
    days_in_stage: Math.max(0, Math.floor((context.now.getTime() - stage_entered_at.getTime()) / dayMs)),
  }
}
