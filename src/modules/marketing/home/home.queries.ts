import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { cadencePauseReasons } from '../cadences/cadence-records/cadences.queries.ts'

export type RecentCounts = { added: number; responded: number }

/** Stops counting at the limit, because a campaign can have any number of members. */
export async function countRecentMembers(
  tx: TenantTx,
  campaignIds: readonly string[],
  { since, limit }: { since: Date; limit: number },
): Promise<Map<string, RecentCounts>> {
  if (!campaignIds.length) return new Map()
  const countSince = (column: 'first_touched_at' | 'responded_at') => sql`(
    select count(*)::integer from (
      select from marketing.campaign_members as member
      where member.campaign_id = campaign.id and not member.is_hidden and member.${sql.ref(column)} >= ${since}::timestamptz
      limit ${sql.lit(limit)}
    ) as recent)`
  const counts = sql<RecentCounts & { id: string }>`(
    select campaign.id, ${countSince('first_touched_at')} as added, ${countSince('responded_at')} as responded
    from unnest(${campaignIds}::uuid[]) as campaign (id))`
  const rows = await tx
    .selectFrom(counts.as('counts'))
    .select(['counts.id', 'counts.added', 'counts.responded'])
    .execute()
  return new Map(rows.map(({ id, ...numbers }) => [id, numbers]))
}

export type RunningCadence = { id: string; name: string; paused_reason: (typeof cadencePauseReasons)[number] | null }

/** Cadences of the owner that the system paused, then the active ones, the newest first. */
export async function listRunningCadences(tx: TenantTx, ownerId: string, limit: number): Promise<RunningCadence[]> {
  const newest = (condition: unknown) => sql`(
    select id, name, paused_reason from marketing.cadences where owner_id = ${ownerId}::uuid and ${condition}
    order by id desc limit ${sql.lit(limit)})`
  const cadences = sql<RunningCadence>`(
    select id, name, paused_reason
    from (
      ${newest(sql`status = 'paused' and paused_reason is not null`)} union all ${newest(sql`status = 'active'`)}
    ) as cadence
    order by paused_reason is null, id desc limit ${sql.lit(limit)})`
  return await tx
    .selectFrom(cadences.as('cadence'))
    .select(['cadence.id', 'cadence.name', 'cadence.paused_reason'])
    .execute()
}
