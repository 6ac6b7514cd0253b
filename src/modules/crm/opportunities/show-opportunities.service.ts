import { namesOfUsers } from '#modules/identity'
import { dayAt } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { toMoney } from '#platform/money'
import { namesOfAccounts } from '../accounts/accounts.queries.ts'
import { baseCurrencyOf, timezoneOf } from '../settings/crm-settings.queries.ts'
import { expectedMinor } from './amounts.rules.ts'
import { listDealContacts } from './deal-contacts.queries.ts'
import type { OpportunityRow } from './opportunities.queries.ts'
import type { DealContact, Opportunity, OpportunitySummary } from './opportunities.schemas.ts'
import { namesOfContacts } from './parties.queries.ts'
import { listAllStages, listPipelineRows } from './pipelines.queries.ts'
import { toRate } from './pipelines.rules.ts'

const oneDay = 86_400_000

/** Deals as people see them in a list. */
export async function showOpportunities(
  tx: TenantTx,
  rows: readonly OpportunityRow[],
  now: Date,
): Promise<OpportunitySummary[]> {
  if (!rows.length) return []
  const world = await worldOf(tx, rows, now)
  return rows.map((row) => toOpportunity(row, world))
}

/** One deal, with everybody who has a part in it. */
export async function showOpportunity(tx: TenantTx, row: OpportunityRow, now: Date): Promise<Opportunity> {
  const [summary] = await showOpportunities(tx, [row], now)
  return { ...summary!, contacts: await showContacts(tx, row.id) }
}

export async function showContacts(tx: TenantTx, opportunityId: string): Promise<DealContact[]> {
  const parts = await listDealContacts(tx, opportunityId)
  return parts.map(({ contact_id, role, created_at, name, email, phone }) => ({
    contact_id,
    contact: { id: contact_id, name: name ?? email ?? phone ?? '' },
    role: role as DealContact['role'],
    created_at,
  }))
}

type World = Awaited<ReturnType<typeof worldOf>>

/** What the deals of a page refer to, each kind asked for once. */
async function worldOf(tx: TenantTx, rows: readonly OpportunityRow[], now: Date) {
  const among = (pick: (row: OpportunityRow) => string | null) => rows.flatMap((row) => pick(row) ?? [])
  const pipelines = await listPipelineRows(tx)
  const stages = await listAllStages(tx)
  return {
    now,
    today: dayAt(now, await timezoneOf(tx)),
    base: await baseCurrencyOf(tx),
    accounts: await namesOfAccounts(
      tx,
      among((row) => row.account_id),
    ),
    contacts: await namesOfContacts(
      tx,
      among((row) => row.primary_contact_id),
    ),
    owners: await namesOfUsers(
      tx,
      among((row) => row.owner_id),
    ),
    pipelines: new Map(pipelines.map(({ id, name }) => [id, name])),
    stages: new Map(stages.map(({ pipeline_id, key, label }) => [`${pipeline_id} ${key}`, label])),
  }
}

function toOpportunity(row: OpportunityRow, world: World): OpportunitySummary {
  const { amount_minor: minor, amount_currency: currency, amount_base_minor: baseMinor, stage_entered_at } = row
  const isPriced = minor !== null && currency !== null
  return {
    ...(row as unknown as OpportunitySummary),
    account: named(world.accounts, row.account_id),
    primary_contact: named(world.contacts, row.primary_contact_id),
    owner: named(world.owners, row.owner_id),
    pipeline: { id: row.pipeline_id, name: world.pipelines.get(row.pipeline_id) ?? '' },
    stage_label: world.stages.get(`${row.pipeline_id} ${row.stage_key}`) ?? row.stage_key,
    amount: isPriced ? toMoney(minor, currency) : null,
    amount_base: baseMinor === null ? null : toMoney(baseMinor, world.base),
    expected_amount: isPriced ? toMoney(expectedMinor(minor, row.probability_basis), currency) : null,
    probability_rate: toRate(row.probability_basis),
    is_overdue: row.kind === 'open' && row.close_on < world.today,
    days_in_stage: Math.max(0, Math.floor((world.now.getTime() - stage_entered_at.getTime()) / oneDay)),
  }
}

function named(names: ReadonlyMap<string, string>, id: string | null) {
  const name = id === null ? undefined : names.get(id)
  return id === null || name === undefined ? null : { id, name }
}
