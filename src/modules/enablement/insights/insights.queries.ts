import { sql } from 'kysely'
import { type ComparedPeriod, isAnyOf, isInPeriod, isInPreviousPeriod, type TenantTx } from '#platform/db'
import { currentCycles } from '../learning-cycles/current-cycles.queries.ts'

export type Users = readonly string[] | null

async function readRow<T>(tx: TenantTx, statement: ReturnType<typeof sql<T>>): Promise<T> {
  const { rows } = await statement.execute(tx)
  return rows[0]!
}

export async function countUsedItems(
  tx: TenantTx,
  { from }: ComparedPeriod,
): Promise<{ published: number; used: number }> {
  return await readRow(
    tx,
    sql<{ published: number; used: number }>`
      with placed as materialized (
        select distinct content_item_id from enablement.room_items where created_at >= ${from} and content_item_id is not null)
      select count(*)::integer as published,
        count(*) filter (where stats.last_viewed_at >= ${from} or placed.content_item_id is not null)::integer as used
      from enablement.content_items item
        left join enablement.content_item_stats stats on stats.item_id = item.id
        left join placed on placed.content_item_id = item.id
      where item.status = 'published' and item.deleted_at is null`,
  )
}

export type UserCount = { user_id: string; count: number }

const countByUser = (tx: TenantTx, statement: ReturnType<typeof sql<UserCount>>) =>
  statement.execute(tx).then(({ rows }) => rows)

export const countLibraryViews = (tx: TenantTx, period: ComparedPeriod): Promise<UserCount[]> =>
  countByUser(
    tx,
    sql<UserCount>`select user_id, count(*)::integer as count from enablement.content_views
      where ${isInPeriod('started_at', period)} and user_id is not null group by user_id`,
  )

export const countPlacements = (tx: TenantTx, period: ComparedPeriod): Promise<UserCount[]> =>
  countByUser(
    tx,
    sql<UserCount>`select added_by as user_id, count(*)::integer as count from enablement.room_items
      where ${isInPeriod('created_at', period)} and content_item_id is not null and added_by is not null group by added_by`,
  )

export type RoomFacts = {
  id: string
  owner_id: string | null
  created_at: Date
  engagement_band: string | null
  status: string
  visits: number
  seconds: number
}

export async function listRoomFacts(tx: TenantTx, { from, to }: ComparedPeriod): Promise<RoomFacts[]> {
  const { rows } = await sql<RoomFacts>`
    with visited as materialized (
      select room_id, count(*)::integer as visits, sum(active_seconds)::integer as seconds
      from enablement.room_visits
      where updated_at >= ${from} and started_at >= ${from} and started_at <= ${to}
        and counted_at is not null and not is_internal and not is_bot
      group by room_id)
    select room.id, room.owner_id, room.created_at, room.engagement_band, room.status,
      coalesce(visited.visits, 0) as visits, coalesce(visited.seconds, 0) as seconds
    from enablement.rooms room left join visited on visited.room_id = room.id where room.deleted_at is null
  `.execute(tx)
  return rows
}

export type LearningFacts = { user_id: string; completed: number; previous: number; open: number; overdue: number } & {
  failed: number
  all_completed: number
  total: number
  score_sum: number
  scored: number
}

/** Completions of the period are counted by cycle, and everything else by user and path. */
export async function listLearningFacts(tx: TenantTx, period: ComparedPeriod, today: string): Promise<LearningFacts[]> {
  const { rows } = await sql<LearningFacts>`
    with current as materialized (${currentCycles({ where: sql`true`, now: period.to })}),
    completions as materialized (
      select user_id, count(*) filter (where ${isInPeriod('completed_at', period)})::integer as completed,
        count(*) filter (where ${isInPreviousPeriod('completed_at', period)})::integer as previous,
        coalesce(sum(score) filter (where ${isInPeriod('completed_at', period)}), 0)::float8 as score_sum,
        count(score) filter (where ${isInPeriod('completed_at', period)})::integer as scored
      from enablement.learning_enrollments where status = 'completed' group by user_id
    ), totals as (
      select user_id,
      count(*) filter (where status in ('not_started', 'in_progress'))::integer as open,
      count(*) filter (where status in ('not_started', 'in_progress') and due_on < ${today}::date)::integer as overdue,
      count(*) filter (where status = 'failed')::integer as failed,
      count(*) filter (where status = 'completed')::integer as all_completed,
      count(*)::integer as total
      from current group by user_id
    )
    select totals.*, coalesce(completions.completed, 0) as completed, coalesce(completions.previous, 0) as previous,
      coalesce(completions.score_sum, 0) as score_sum, coalesce(completions.scored, 0) as scored
    from totals left join completions using (user_id)
  `.execute(tx)
  return rows
}

export type ScoreFacts = { count: number; previous: number; score_sum: number; scored: number }

/** Ended sessions of sellers that are neither private nor too short. */
export const readCoachingFacts = (
  tx: TenantTx,
  period: ComparedPeriod,
  users: Users,
): Promise<ScoreFacts & { judged: number; passed: number }> =>
  readRow(
    tx,
    sql<ScoreFacts & { judged: number; passed: number }>`
      select count(*) filter (where ${isInPeriod('finished_at', period)})::integer as count,
        count(*) filter (where ${isInPreviousPeriod('finished_at', period)})::integer as previous,
        coalesce(sum(score) filter (where ${isInPeriod('finished_at', period)}), 0)::float8 as score_sum,
        count(score) filter (where ${isInPeriod('finished_at', period)})::integer as scored,
        count(passed) filter (where ${isInPeriod('finished_at', period)})::integer as judged,
        count(*) filter (where passed and ${isInPeriod('finished_at', period)})::integer as passed
      from enablement.coaching_sessions
      where finished_at >= ${period.previousFrom} and status in ('completed', 'finished') and not is_private and not insufficient
        and ${isAnyOf('rep_id', users)}`,
  )

export const readPitchFacts = (tx: TenantTx, period: ComparedPeriod, users: Users): Promise<ScoreFacts> =>
  readRow(
    tx,
    sql<ScoreFacts>`
      select count(*) filter (where ${isInPeriod('submitted_at', period)})::integer as count,
        count(*) filter (where ${isInPreviousPeriod('submitted_at', period)})::integer as previous,
        coalesce(sum(final_score) filter (where ${isInPeriod('submitted_at', period)}), 0)::float8 as score_sum,
        count(final_score) filter (where ${isInPeriod('submitted_at', period)})::integer as scored
      from enablement.pitch_submissions
      where submitted_at >= ${period.previousFrom} and not is_practice and deleted_at is null and ${isAnyOf('user_id', users)}`,
  )

export async function countOverduePitches(tx: TenantTx, today: string, users: Users): Promise<number> {
  const { count } = await readRow(
    tx,
    sql<{ count: number }>`
      select count(*)::integer as count from enablement.pitch_assignments assignment
        join enablement.pitch_prompts prompt on prompt.id = assignment.prompt_id
      where assignment.status = 'open' and assignment.due_on < ${today}::date and prompt.status = 'active'
        and prompt.deleted_at is null and ${isAnyOf('assignment.user_id', users)}`,
  )
  return count
}

export type ExpertFacts = {
  count: number
  previous: number
  answered: number
  breached: number
  rating_sum: number
  rated: number
}

export const readExpertFacts = (tx: TenantTx, period: ComparedPeriod, users: Users): Promise<ExpertFacts> =>
  readRow(
    tx,
    sql<ExpertFacts>`
      select count(*) filter (where ${isInPeriod('created_at', period)})::integer as count,
        count(*) filter (where ${isInPreviousPeriod('created_at', period)})::integer as previous,
        count(*) filter (where answered_at is not null and ${isInPeriod('created_at', period)})::integer as answered,
        count(*) filter (where sla_breached_at is not null and ${isInPeriod('created_at', period)})::integer as breached,
        coalesce(sum(rating) filter (where ${isInPeriod('created_at', period)}), 0)::integer as rating_sum,
        count(rating) filter (where ${isInPeriod('created_at', period)})::integer as rated
      from enablement.expert_requests
      where created_at >= ${period.previousFrom} and status <> 'cancelled' and ${isAnyOf('requester_id', users)}`,
  )

export type ItemFacts = { id: string; stages: string[]; industries: string[]; next_review_at: Date | null }

export async function listPublishedItems(tx: TenantTx): Promise<ItemFacts[]> {
  return await tx
    .selectFrom('enablement.content_items')
    .select(['id', 'stages', 'industries', 'next_review_at'])
    .where('status', '=', 'published')
    .where('deleted_at', 'is', null)
    .execute()
}

export type StaleItem = {
  id: string
  owner_id: string | null
  next_review_at: Date
  heat: number
  in_active_rooms: number
}

/** Published items that are due for review, those with the most use first. */
export async function listStaleItems(tx: TenantTx, now: Date, limit: number): Promise<StaleItem[]> {
  const { rows } = await sql<StaleItem>`
    select item.id, item.owner_id, item.next_review_at, coalesce(stats.heat, 0) as heat,
      (select count(*)::integer from enablement.room_items placed join enablement.rooms room on room.id = placed.room_id
        where placed.content_item_id = item.id and room.status = 'active' and room.deleted_at is null) as in_active_rooms
    from enablement.content_items item left join enablement.content_item_stats stats on stats.item_id = item.id
    where item.status = 'published' and item.deleted_at is null and item.next_review_at < ${now}
    order by heat desc, item.next_review_at, item.id limit ${limit}
  `.execute(tx)
  return rows
}

export async function listSearchMisses(
  tx: TenantTx,
  { minCount, since, limit }: { minCount: number; since: Date; limit: number },
): Promise<{ query: string; count: number; last_at: Date }[]> {
  return await tx
    .selectFrom('enablement.content_search_misses')
    .select(['query_norm as query', 'count', 'last_at'])
    .where('count', '>=', minCount)
    .where('last_at', '>=', since)
    .orderBy('count', 'desc')
    .orderBy('query_norm')
    .limit(limit)
    .execute()
}

export async function listReadinessScores(tx: TenantTx): Promise<{ user_id: string; score: number }[]> {
  const { rows } = await sql<{ user_id: string; score: number }>`
    select user_id, score_tenths / 10.0::float8 as score from enablement.readiness_scores where score_tenths is not null
  `.execute(tx)
  return rows
}
