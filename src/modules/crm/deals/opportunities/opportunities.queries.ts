import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { nilUuid } from '#platform/ids'

type Opportunities = Database['crm.opportunities']

export const opportunitySummaryColumns = [
  'id',
  'name',
  'account_id',
  'pipeline_id',
  'stage_key',
  'kind',
  'amount_minor',
  'amount_currency',
  'amount_base_minor',
  'probability_basis',
  'forecast_category',
  'close_on',
  'next_step',
  'owner_id',
  'stage_entered_at',
  'last_activity_at',
  'tags',
  'custom',
  'version',
] as const
export type OpportunitySummaryRow = Pick<Selectable<Opportunities>, (typeof opportunitySummaryColumns)[number]>

export const opportunityColumns = [
  'id',
  'name',
  'name_key',
  'account_id',
  'primary_contact_id',
  'pipeline_id',
  'stage_key',
  'kind',
  'amount_minor',
  'amount_currency',
  'amount_base_minor',
  'probability_basis',
  'probability_overridden',
  'forecast_category',
  'close_on',
  'closed_at',
  'lost_reason',
  'lost_detail',
  'next_step',
  'owner_id',
  'source',
  'campaign_id',
  'lead_id',
  'stage_entered_at',
  'last_activity_at',
  'tags',
  'notes',
  'custom',
  'created_by',
  'created_at',
  'updated_at',
  'deleted_at',
  'deleted_by',
  'version',
] as const
export type OpportunityRow = Pick<Selectable<Opportunities>, (typeof opportunityColumns)[number]>

const selectNotDeleted = (tx: TenantTx, id: string) =>
  tx.selectFrom('crm.opportunities').select(opportunityColumns).where('id', '=', id).where('deleted_at', 'is', null)

export const findOpportunity = (tx: TenantTx, id: string): Promise<OpportunityRow | undefined> =>
  selectNotDeleted(tx, id).executeTakeFirst()

export const getOpportunity = (tx: TenantTx, id: string): Promise<OpportunityRow> =>
  selectNotDeleted(tx, id).executeTakeFirstOrThrow(() => notFound('opportunity'))

/** Leaves out deleted and unknown deals. */
export const listOpportunitiesById = (tx: TenantTx, ids: readonly string[]): Promise<OpportunityRow[]> =>
  tx
    .selectFrom('crm.opportunities')
    .select(opportunityColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()

export async function lockOpportunity(tx: TenantTx, id: string): Promise<OpportunityRow> {
  const deal = await lockOpportunityIncludingDeleted(tx, id)
  if (!deal || deal.deleted_at !== null) throw notFound('opportunity')
  return deal
}

export function lockOpportunityIncludingDeleted(tx: TenantTx, id: string): Promise<OpportunityRow | undefined> {
  return tx
    .selectFrom('crm.opportunities')
    .select(opportunityColumns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export function insertOpportunity(tx: TenantTx, deal: Insertable<Opportunities>): Promise<OpportunityRow> {
  return tx.insertInto('crm.opportunities').values(deal).returning(opportunityColumns).executeTakeFirstOrThrow()
}

export function updateOpportunityRow(
  tx: TenantTx,
  id: string,
  fields: Updateable<Opportunities>,
): Promise<OpportunityRow> {
  return tx
    .updateTable('crm.opportunities')
    .set(fields)
    .where('id', '=', id)
    .returning(opportunityColumns)
    .executeTakeFirstOrThrow()
}

/** Includes deleted deals, because they can be restored. */
export function lockOpportunityNames(tx: TenantTx, accountId: string) {
  return tx
    .selectFrom('crm.opportunities')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function updateOpportunitySearchTexts(
  tx: TenantTx,
  deals: readonly { id: string; search_text: string }[],
): Promise<void> {
  const [ids, texts] = [deals.map(({ id }) => id), deals.map(({ search_text }) => search_text)]
  await sql`
    update crm.opportunities as deal set search_text = renamed.search_text
    from unnest(${ids}::uuid[], ${texts}::text[]) as renamed (id, search_text)
    where deal.id = renamed.id and deal.search_text <> renamed.search_text
  `.execute(tx)
}

export type ForeignCurrencyDeal = {
  id: string
  amount_minor: number
  amount_currency: string
  amount_base_minor: number
}

const baseAmountBatchSize = 500

/** Locks the next batch of open deals whose currency is not the base currency, ordered by id. */
export async function lockForeignCurrencyDeals(
  tx: TenantTx,
  baseCurrency: string,
  after: string | null,
): Promise<ForeignCurrencyDeal[]> {
  const { rows } = await sql<ForeignCurrencyDeal>`
    select id, amount_minor, amount_currency, amount_base_minor from crm.opportunities
    where id > ${after ?? nilUuid}::uuid
      and kind = 'open' and amount_currency <> ${baseCurrency}
    order by id limit ${sql.lit(baseAmountBatchSize)} for no key update
  `.execute(tx)
  return rows
}

export async function updateBaseAmounts(
  tx: TenantTx,
  deals: readonly Pick<ForeignCurrencyDeal, 'id' | 'amount_base_minor'>[],
): Promise<void> {
  const [ids, amounts] = [deals.map(({ id }) => id), deals.map(({ amount_base_minor }) => amount_base_minor)]
  await sql`
    update crm.opportunities as deal set amount_base_minor = recalculated.minor
    from unnest(${ids}::uuid[], ${amounts}::bigint[]) as recalculated (id, minor)
    where deal.id = recalculated.id
  `.execute(tx)
}
