import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Counting stops here to keep the profile fast. */
const maxCount = 10_000

type LeadCounts = { status: string; grade: string; leads: number; untouched: number }

/** Counts a user's leads by status and grade; `untouched` leads had no activity since `untouchedSince`. */
export async function countLeadsByStatusAndGrade(
  tx: TenantTx,
  ownerId: string,
  untouchedSince: Date,
): Promise<LeadCounts[]> {
  const counts = sql<LeadCounts>`(
    select status, grade, count(*) as leads,
      count(*) filter (where coalesce(last_activity_at, created_at) < ${untouchedSince}) as untouched
    from (
      select status, grade, last_activity_at, created_at from crm.leads
      where owner_id = ${ownerId} and deleted_at is null limit ${sql.lit(maxCount)}
    ) as owned
    group by status, grade)`
  return await tx.selectFrom(counts.as('counts')).select(['status', 'grade', 'leads', 'untouched']).execute()
}

export async function countOwnedRecords(tx: TenantTx, table: 'crm.contacts' | 'crm.accounts', ownerId: string) {
  const owned = tx
    .selectFrom(table)
    .select(sql.lit(1).as('one'))
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .limit(sql.lit(maxCount))
  const { records } = await tx
    .selectFrom(owned.as('owned'))
    .select(({ fn }) => fn.countAll<number>().as('records'))
    .executeTakeFirstOrThrow()
  return records
}

type OpenDeals = { open_count: number; open: string; weighted: string; largest: string; overdue_count: number }

export async function sumOpenDeals(tx: TenantTx, ownerId: string, today: string): Promise<OpenDeals> {
  const sums = sql<OpenDeals>`(
    select least(count(*), ${sql.lit(maxCount)}) as open_count, coalesce(sum(amount_base_minor), 0)::text as open,
      coalesce(sum(amount_base_minor::numeric * probability_basis), 0)::text as weighted,
      coalesce(max(amount_base_minor), 0)::text as largest,
      least(count(*) filter (where close_on < ${today}::date), ${sql.lit(maxCount)}) as overdue_count
    from crm.opportunities where owner_id = ${ownerId} and kind = 'open' and deleted_at is null)`
  return await tx
    .selectFrom(sums.as('sums'))
    .select(['open_count', 'open', 'weighted', 'largest', 'overdue_count'])
    .executeTakeFirstOrThrow()
}

type ClosedDeals = { won_count: number; won: string; lost_count: number; cycle_days: number | null }

export async function sumClosedDeals(tx: TenantTx, ownerId: string, from: Date, to: Date): Promise<ClosedDeals> {
  const sums = sql<ClosedDeals>`(
    select count(*) filter (where kind = 'won') as won_count,
      coalesce(sum(amount_base_minor) filter (where kind = 'won'), 0)::text as won,
      count(*) filter (where kind = 'lost') as lost_count,
      (avg(extract(epoch from closed_at - created_at)) filter (where kind = 'won') / 86400)::float8 as cycle_days
    from crm.opportunities
    where owner_id = ${ownerId} and kind in ('won', 'lost') and closed_at between ${from} and ${to}
      and deleted_at is null)`
  return await tx
    .selectFrom(sums.as('sums'))
    .select(['won_count', 'won', 'lost_count', 'cycle_days'])
    .executeTakeFirstOrThrow()
}
