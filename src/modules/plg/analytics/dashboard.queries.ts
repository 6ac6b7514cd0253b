import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const maxCounted = 10_000

export async function findLastEventAt(tx: TenantTx): Promise<Date | null> {
  const { rows } = await sql<{ occurred_at: Date }>`
    select occurred_at from plg.events order by occurred_at desc limit 1
  `.execute(tx)
  return rows[0]?.occurred_at ?? null
}

export async function countUnlinkedPeople(tx: TenantTx): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(*) as people from (
      select from plg.actors where not is_account and not is_linked and erased_at is null
      limit ${sql.lit(maxCounted)}) as counted
  `.execute(tx)
  return rows[0]!.people
}

export type QualificationCounts = { people: number; accounts: number; new: number; lost: number }

export async function countQualifications(
  tx: TenantTx,
  { since, until }: { since: string; until: Date },
): Promise<QualificationCounts> {
  const { rows } = await sql<QualificationCounts>`
    select count(distinct actor_id) filter (where not is_account) as people, count(distinct actor_id) filter (where is_account) as accounts,
      (select count(*) from plg.qualifications where qualified_at >= ${since}::timestamptz and qualified_at < ${until}) as new,
      (select count(*) from plg.qualifications
        where lost_at is not null and lost_at >= ${since}::timestamptz and lost_at < ${until}) as lost
    from plg.qualifications where lost_at is null
  `.execute(tx)
  return rows[0]!
}
