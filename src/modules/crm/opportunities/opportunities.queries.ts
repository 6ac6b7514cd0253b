import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'

type Opportunities = Database['crm.opportunities']

export const opportunityColumns = [
  ...(['id', 'name', 'name_key', 'account_id', 'primary_contact_id', 'pipeline_id', 'stage_key', 'kind'] as const),
  ...(['amount_minor', 'amount_currency', 'amount_base_minor', 'probability_basis'] as const),
  ...(['probability_overridden', 'forecast_category', 'close_on', 'closed_at', 'lost_reason'] as const),
  ...(['lost_detail', 'next_step', 'owner_id', 'source', 'campaign_id', 'lead_id'] as const),
  ...(['stage_entered_at', 'last_activity_at', 'tags', 'notes', 'custom', 'created_by'] as const),
  ...(['created_at', 'updated_at', 'deleted_at', 'deleted_by', 'version'] as const),
] as const
export type OpportunityRow = Pick<Selectable<Opportunities>, (typeof opportunityColumns)[number]>

const live = (tx: TenantTx, id: string) =>
  tx.selectFrom('crm.opportunities').select(opportunityColumns).where('id', '=', id).where('deleted_at', 'is', null)

export const findOpportunity = (tx: TenantTx, id: string): Promise<OpportunityRow | undefined> =>
  live(tx, id).executeTakeFirst()

export const getOpportunity = (tx: TenantTx, id: string): Promise<OpportunityRow> =>
  live(tx, id).executeTakeFirstOrThrow(() => notFound('opportunity'))

/** Nobody else changes the deal until the transaction ends. */
export async function lockOpportunity(tx: TenantTx, id: string): Promise<OpportunityRow> {
  const deal = await lockAnyOpportunity(tx, id)
  if (!deal || deal.deleted_at !== null) throw notFound('opportunity')
  return deal
}

/** Also one that was deleted. */
export function lockAnyOpportunity(tx: TenantTx, id: string): Promise<OpportunityRow | undefined> {
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

/** The only way one deal changes. */
export function changeOpportunityFields(
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
