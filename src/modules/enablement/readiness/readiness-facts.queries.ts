import { sql } from 'kysely'
import { isAnyOf, type TenantTx } from '#platform/db'
import { currentCycles } from '../learning-cycles/current-cycles.queries.ts'

type UserIds = readonly string[]

export type EnrollmentRow = {
  id: string
  user_id: string
  title: string
  status: string
  progress_rate: number
  due_on: string | null
  is_lapsed: boolean
}

/** The current cycle of each mandatory path. A certificate lapses when it expires or is revoked. */
export async function listEnrollments(tx: TenantTx, userIds: UserIds, now: Date): Promise<EnrollmentRow[]> {
  const { rows } = await sql<EnrollmentRow>`
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
  userIds: UserIds,
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

export type SessionRow = {
  id: string
  user_id: string
  score: number
  finished_at: Date
  criteria: { name: string; score: number | null }[] | null
}

/** Scored sessions that are not private, the newest first. */
export async function listSessions(tx: TenantTx, userIds: UserIds, since: Date): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select id, rep_id as user_id, score, finished_at, scorecard -> 'criteria' as criteria
    from enablement.coaching_sessions
    where ${isAnyOf('rep_id', userIds)} and finished_at >= ${since} and status in ('completed', 'finished')
      and not is_private and not insufficient and score is not null
    order by finished_at desc, id
  `.execute(tx)
  return rows
}

export type PitchRow = {
  user_id: string
  prompt_id: string
  title: string
  passing_score: number
  due_on: string | null
  best_score: number | null
  is_submitted: boolean
}

export async function listPitches(tx: TenantTx, userIds: UserIds): Promise<PitchRow[]> {
  const { rows } = await sql<PitchRow>`
    select assignment.user_id, assignment.prompt_id, prompt.title, prompt.passing_score, assignment.due_on,
      (select best.final_score::float8 from enablement.pitch_submissions best where best.id = assignment.best_submission_id)
        as best_score,
      exists (select from enablement.pitch_submissions take where take.prompt_id = assignment.prompt_id
        and take.user_id = assignment.user_id and not take.is_practice and take.status <> 'draft' and take.deleted_at is null)
        as is_submitted
    from enablement.pitch_assignments assignment join enablement.pitch_prompts prompt on prompt.id = assignment.prompt_id
    where ${isAnyOf('assignment.user_id', userIds)} and prompt.status = 'active' and prompt.deleted_at is null
    order by assignment.id
  `.execute(tx)
  return rows
}

type UserNumber = { user_id: string; count: number }

export async function countViewedItems(
  tx: TenantTx,
  userIds: UserIds,
  { since, minSeconds }: { since: Date; minSeconds: number },
): Promise<UserNumber[]> {
  const { rows } = await sql<UserNumber>`
    select view.user_id, count(distinct view.item_id)::integer as count
    from enablement.content_views view join enablement.content_items item on item.id = view.item_id
    where ${isAnyOf('view.user_id', userIds)} and view.last_event_at >= ${since} and view.started_at >= ${since}
      and view.active_seconds >= ${minSeconds} and item.status = 'published' and item.deleted_at is null
    group by view.user_id
  `.execute(tx)
  return rows
}

export async function countShares(tx: TenantTx, userIds: UserIds, since: Date): Promise<UserNumber[]> {
  const { rows } = await sql<UserNumber>`
    select added_by as user_id, count(*)::integer as count from enablement.room_items
    where ${isAnyOf('added_by', userIds)} and created_at >= ${since} and content_item_id is not null
    group by added_by
  `.execute(tx)
  return rows
}

export type RequiredItemRow = {
  id: string
  title: string
  audience_team_ids: string[] | null
  version_no: number | null
}

export async function listRequiredItems(tx: TenantTx): Promise<RequiredItemRow[]> {
  const { rows } = await sql<RequiredItemRow>`
    select item.id, item.title, item.audience_team_ids, version.version_no
    from enablement.content_items item left join enablement.content_versions version on version.id = item.current_version_id
    where item.status = 'published' and item.deleted_at is null and item.is_required_reading
    order by item.id
  `.execute(tx)
  return rows
}

/** Users who have completed the current version of the items. */
export async function listReadItems(
  tx: TenantTx,
  userIds: UserIds,
  items: readonly RequiredItemRow[],
): Promise<{ user_id: string; item_id: string }[]> {
  if (!items.length) return []
  const { rows } = await sql<{ user_id: string; item_id: string }>`
    select distinct view.user_id, view.item_id
    from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ version_no }) => version_no)}::integer[]) as item (id, version_no)
      join enablement.content_views view on view.item_id = item.id
    where ${isAnyOf('view.user_id', userIds)} and view.completed and view.version_no is not distinct from item.version_no
  `.execute(tx)
  return rows
}

export async function readExisting(tx: TenantTx): Promise<{ has_scenarios: boolean; has_items: boolean }> {
  const { rows } = await sql<{ has_scenarios: boolean; has_items: boolean }>`
    select exists (select from enablement.coaching_scenarios where status = 'published' and deleted_at is null) as has_scenarios,
      exists (select from enablement.content_items where status = 'published' and deleted_at is null) as has_items
  `.execute(tx)
  return rows[0]!
}
