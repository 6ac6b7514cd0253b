import { sql } from 'kysely'
import { type ComparedPeriod, isAnyOf, isInPeriod, isInPreviousPeriod, type TenantTx } from '#platform/db'
import { currentCycles } from '../cycles/current-cycles.queries.ts'

export type MandatoryEnrollment = {
  id: string
  user_id: string
  title: string
  status: string
  progress_rate: number
  due_on: string | null
  is_lapsed: boolean
}

/** The current cycle of each mandatory path. A certificate lapses when it expires or is revoked. */
export async function listEnrollments(
  tx: TenantTx,
  userIds: readonly string[],
  now: Date,
): Promise<MandatoryEnrollment[]> {
  const { rows } = await sql<MandatoryEnrollment>`
    select latest.id, latest.user_id, path.title, latest.status, latest.progress_rate::float8 as progress_rate, latest.due_on,
      latest.status = 'completed' and exists (select from enablement.certificates certificate
        where certificate.enrollment_id = latest.id and (certificate.expires_at <= ${now} or certificate.revoked_at is not null))
        as is_lapsed
    from (${currentCycles({ where: sql`${isAnyOf('user_id', userIds)} and is_mandatory`, now })}) as latest
      join enablement.learning_paths path on path.id = latest.path_id
    where path.deleted_at is null
    order by latest.id
  `.execute(tx)
  return rows
}

export async function listQuizScores(
  tx: TenantTx,
  userIds: readonly string[],
  since: Date,
): Promise<{ user_id: string; score: number }[]> {
  const { rows } = await sql<{ user_id: string; score: number }>`
    select enrollment.user_id, result.score::float8 as score
    from enablement.learning_enrollments enrollment
      join enablement.enrollment_modules result on result.enrollment_id = enrollment.id
      join enablement.learning_modules module on module.id = result.module_id
    where ${isAnyOf('enrollment.user_id', userIds)} and module.kind = 'quiz' and result.score is not null
      and result.state <> 'removed' and coalesce(result.completed_at, result.updated_at) >= ${since}
  `.execute(tx)
  return rows
}

export async function countEnrollments(
  tx: TenantTx,
  userId: string,
  today: string,
): Promise<{ open: number; overdue: number }> {
  return await tx
    .selectFrom('enablement.learning_enrollments')
    .select([
      sql<number>`count(*)::integer`.as('open'),
      sql<number>`count(*) filter (where due_on < ${today}::date)::integer`.as('overdue'),
    ])
    .where('user_id', '=', userId)
    .where('status', 'in', [sql.lit('not_started'), sql.lit('in_progress')])
    .executeTakeFirstOrThrow()
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
