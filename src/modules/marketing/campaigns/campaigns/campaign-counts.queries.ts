import { sql } from 'kysely'
import { listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'

export const countColumns = ['members', 'responded', 'new_leads', 'mqls', 'sqls', 'converted'] as const
export type CampaignCounts = Record<(typeof countColumns)[number], number>

const sums = sql.join(countColumns.map((name) => sql`sum(${sql.ref(name)})::integer as ${sql.ref(name)}`))

export async function countMembersOf(tx: TenantTx, ids: readonly string[]): Promise<Map<string, CampaignCounts>> {
  const counts = sql<CampaignCounts & { campaign_id: string }>`(
    select campaign_id, ${sums} from marketing.campaign_counts where campaign_id = any (${ids}::uuid[]) group by campaign_id)`
  const rows = await tx
    .selectFrom(counts.as('counts'))
    .select(['counts.campaign_id', ...countColumns.map((name) => `counts.${name}` as const)])
    .execute()
  return new Map(rows.map(({ campaign_id, ...count }) => [campaign_id, count]))
}

type StatusCounts = CampaignCounts & { status: string; is_contact: boolean }

export async function countMembersByStatus(tx: TenantTx, ids: readonly string[]): Promise<StatusCounts[]> {
  const counts = sql<StatusCounts>`(
    select status, is_contact, ${sums} from marketing.campaign_counts where campaign_id = any (${ids}::uuid[])
    group by status, is_contact)`
  return await tx
    .selectFrom(counts.as('counts'))
    .select(['counts.status', 'counts.is_contact', ...countColumns.map((name) => `counts.${name}` as const)])
    .execute()
}

export const listTenantsWithNewCounts = (tx: SystemTx): Promise<string[]> =>
  listTenantsWithRows(tx, 'marketing.campaign_counts', sql`is_delta`)

export async function listCampaignsWithNewCounts(tx: TenantTx, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.campaign_counts')
    .select('campaign_id')
    .distinct()
    .where('is_delta', '=', sql.lit(true))
    .orderBy('campaign_id')
    .limit(limit)
    .execute()
  return rows.map(({ campaign_id }) => campaign_id)
}

/** Replaces the count rows of a campaign by their sums. Skips rows that a concurrent transaction replaces. */
export async function foldCampaignCounts(tx: TenantTx, campaignId: string): Promise<void> {
  await sql`
    with removed as (
      delete from marketing.campaign_counts where (campaign_id, id) in (
        select campaign_id, id from marketing.campaign_counts where campaign_id = ${campaignId} for update skip locked
      ) returning campaign_id, status, is_contact, ${sql.join(countColumns.map((name) => sql.ref(name)))}
    )
    insert into marketing.campaign_counts (campaign_id, id, status, is_contact, is_delta, ${sql.join(countColumns.map((name) => sql.ref(name)))})
    select campaign_id, gen_random_uuid(), status, is_contact, false, ${sums} from removed
    group by campaign_id, status, is_contact
    having (${sql.join(countColumns.map((name) => sql`sum(${sql.ref(name)})`))}) <> (0, 0, 0, 0, 0, 0)
  `.execute(tx)
}

/** Read in one statement: a change of members and its count are visible together. */
const drift = sql`
  select campaign_id, status, is_contact,
    ${sql.join(countColumns.map((name) => sql`sum(${sql.ref(name)})::integer as ${sql.ref(name)}`))}
  from (
    select campaign_id, status, is_contact, count(*) as members, count(*) filter (where responded) as responded,
      count(*) filter (where is_new_lead) as new_leads, count(*) filter (where is_mql) as mqls,
      count(*) filter (where is_sql) as sqls, count(*) filter (where is_converted) as converted
    from marketing.campaign_members where not is_hidden group by campaign_id, status, is_contact
    union all
    select campaign_id, status, is_contact, ${sql.join(countColumns.map((name) => sql`-sum(${sql.ref(name)})`))}
    from marketing.campaign_counts group by campaign_id, status, is_contact
  ) as counted
  group by campaign_id, status, is_contact
  having (${sql.join(countColumns.map((name) => sql`sum(${sql.ref(name)})`))}) <> (0, 0, 0, 0, 0, 0)`

export async function listCampaignsWithChangedCounts(tx: TenantTx, since: Date): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.campaign_counts')
    .select('campaign_id')
    .distinct()
    .where('changed_at', '>=', since)
    .orderBy('campaign_id')
    .execute()
  return rows.map(({ campaign_id }) => campaign_id)
}

export async function listCampaignCountDrift(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct drift.campaign_id as id from (${drift}) as drift order by 1 limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Adds the difference as rows of their own, so that it does not wait for writers. Returns the number of corrected campaigns. */
export async function correctCampaignCounts(tx: TenantTx, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ campaigns: number }>`
    with corrected as (
      insert into marketing.campaign_counts (campaign_id, id, status, is_contact, ${sql.join(countColumns.map((name) => sql.ref(name)))})
      select campaign_id, gen_random_uuid(), status, is_contact, ${sql.join(countColumns.map((name) => sql.ref(name)))}
      from (${drift}) as drift where drift.campaign_id = any (${ids}::uuid[])
      returning campaign_id
    )
    select count(distinct campaign_id)::integer as campaigns from corrected
  `.execute(tx)
  return rows[0]!.campaigns
}
