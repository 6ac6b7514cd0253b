import { sql } from 'kysely'
import type { Period } from '#platform/calendar'
import type { TenantTx } from '#platform/db'

type DealSums = Record<'open' | 'closing' | 'closed' | 'commit' | 'best_case', string> & { open_count: number }

/**
 * Sums the deals of one owner. The sums of the forecast are sorted by day, so reading those of one owner costs more than the open
 * deals and the won deals of the quarter.
 */
export async function sumDealsOfOwner(
  tx: TenantTx,
  ownerId: string,
  { closingUntil, quarter }: { closingUntil: string; quarter: Period },
): Promise<DealSums> {
  const isInQuarter = sql`close_on between ${quarter.start_on}::date and ${quarter.end_on}::date`
  const dealsOf = (kind: 'open' | 'won') => sql`
    select kind, close_on, forecast_category, amount_base_minor from crm.opportunities
    where owner_id = ${ownerId}::uuid and kind = ${sql.lit(kind)} and deleted_at is null`
  const sumOf = (condition: unknown) => sql`coalesce(sum(amount_base_minor) filter (where ${condition}), 0)::text`
  const sumOfCategory = (category: string) =>
    sumOf(sql`kind = 'open' and forecast_category = ${sql.lit(category)} and ${isInQuarter}`)
  const sums = sql<DealSums>`(
    select count(*) filter (where kind = 'open') as open_count, ${sumOf(sql`kind = 'open'`)} as open,
      ${sumOf(sql`kind = 'open' and close_on <= ${closingUntil}::date`)} as closing,
      ${sumOf(sql`kind = 'won'`)} as closed, ${sumOfCategory('commit')} as commit, ${sumOfCategory('best_case')} as best_case
    from (${dealsOf('open')} union all ${dealsOf('won')} and ${isInQuarter}) as deal)`
  return await tx
    .selectFrom(sums.as('sums'))
    .select(['open_count', 'open', 'closing', 'closed', 'commit', 'best_case'])
    .executeTakeFirstOrThrow()
}

/** Open deals of the owner that close until the day or were due before, the earliest first. */
export function listClosingDealRows(tx: TenantTx, ownerId: string, until: string, limit: number) {
  return tx
    .selectFrom('crm.opportunities as deal')
    .leftJoin('crm.accounts as account', (join) =>
      join.onRef('account.id', '=', 'deal.account_id').on('account.deleted_at', 'is', null),
    )
    .leftJoin('crm.pipeline_stages as stage', (join) =>
      join.onRef('stage.pipeline_id', '=', 'deal.pipeline_id').onRef('stage.key', '=', 'deal.stage_key'),
    )
    .select([
      'deal.id',
      'deal.name',
      'deal.account_id',
      'account.name as account_name',
      'deal.stage_key',
      'stage.label as stage_label',
      'deal.amount_minor',
      'deal.amount_currency',
      'deal.close_on',
      'deal.next_step',
      'deal.version',
    ])
    .where('deal.owner_id', '=', ownerId)
    .where('deal.kind', '=', sql.lit('open'))
    .where('deal.close_on', '<=', until)
    .where('deal.deleted_at', 'is', null)
    .orderBy('deal.close_on')
    .orderBy('deal.id')
    .limit(sql.lit(limit))
    .execute()
}
