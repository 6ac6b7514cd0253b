import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type Reservation = { jobId: string; month: string; credits: number; limit: number }

/** Reserves credits before a call, unless the month's limit would be exceeded. The job must be locked. */
export async function reserveCredits(tx: TenantTx, { jobId, month, credits, limit }: Reservation): Promise<boolean> {
  const { rows } = await sql`
    with reserved as (
      insert into marketing.enrichment_usage as used (month, credits_used)
      select ${month}::date, ${credits}::int where ${credits}::int <= ${limit}::int
      on conflict (tenant_id, month) do update set credits_used = used.credits_used + excluded.credits_used
        where used.credits_used + excluded.credits_used <= ${limit}::int
      returning month
    )
    update marketing.enrichment_jobs job
    set credits_reserved = credits_reserved + ${credits}::int, credit_month = reserved.month
    from reserved where job.id = ${jobId}
    returning job.id
  `.execute(tx)
  return rows.length > 0
}

export async function releaseCredits(tx: TenantTx, month: string | null, credits: number): Promise<void> {
  if (month === null || credits === 0) return
  await sql`
    update marketing.enrichment_usage set credits_used = greatest(0, credits_used - ${credits}::int) where month = ${month}::date
  `.execute(tx)
}

/** Returns the month if its credits differ from those of its jobs. */
export async function findCreditDrift(tx: TenantTx, month: string): Promise<{ expected: number } | undefined> {
  const { rows } = await sql<{ expected: number }>`
    select counted.expected
    from (select coalesce(sum(credits_used + credits_reserved), 0)::int as expected
      from marketing.enrichment_jobs where credit_month = ${month}::date) counted
    where counted.expected <> coalesce((select credits_used from marketing.enrichment_usage where month = ${month}::date), 0)
  `.execute(tx)
  return rows[0]
}

export async function correctCredits(tx: TenantTx, month: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into marketing.enrichment_usage as used (month, credits_used)
    select ${month}::date, coalesce(sum(credits_used + credits_reserved), 0)::int
    from marketing.enrichment_jobs where credit_month = ${month}::date
    on conflict (tenant_id, month) do update set credits_used = excluded.credits_used
      where used.credits_used <> excluded.credits_used
  `.execute(tx)
  return Number(numAffectedRows)
}
