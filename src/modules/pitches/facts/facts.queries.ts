import { sql } from 'kysely'
import { type ComparedPeriod, isAnyOf, isInPeriod, isInPreviousPeriod, type TenantTx } from '#platform/db'

export type AssignedPitch = {
  user_id: string
  prompt_id: string
  title: string
  passing_score: number
  due_on: string | null
  best_score: number | null
  is_submitted: boolean
}

export async function listPitches(tx: TenantTx, userIds: readonly string[]): Promise<AssignedPitch[]> {
  const { rows } = await sql<AssignedPitch>`
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

type PitchFacts = { count: number; previous: number; score_sum: number; scored: number }

export async function readPitchFacts(
  tx: TenantTx,
  period: ComparedPeriod,
  users: readonly string[] | null,
): Promise<PitchFacts> {
  const { rows } = await sql<PitchFacts>`
    select count(*) filter (where ${isInPeriod('submitted_at', period)})::integer as count,
      count(*) filter (where ${isInPreviousPeriod('submitted_at', period)})::integer as previous,
      coalesce(sum(final_score) filter (where ${isInPeriod('submitted_at', period)}), 0)::float8 as score_sum,
      count(final_score) filter (where ${isInPeriod('submitted_at', period)})::integer as scored
    from enablement.pitch_submissions
    where submitted_at >= ${period.previousFrom} and not is_practice and deleted_at is null and ${isAnyOf('user_id', users)}
  `.execute(tx)
  return rows[0]!
}

export async function countOverduePitches(
  tx: TenantTx,
  today: string,
  users: readonly string[] | null,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from enablement.pitch_assignments assignment
      join enablement.pitch_prompts prompt on prompt.id = assignment.prompt_id
    where assignment.status = 'open' and assignment.due_on < ${today}::date and prompt.status = 'active'
      and prompt.deleted_at is null and ${isAnyOf('assignment.user_id', users)}
  `.execute(tx)
  return rows[0]!.count
}

/** Score of the last scored take, without practice. */
export async function findLastPitchScore(tx: TenantTx, userId: string): Promise<number | null> {
  const pitch = await tx
    .selectFrom('enablement.pitch_submissions')
    .select(sql<number>`round(final_score, 1)::float8`.as('score'))
    .where('user_id', '=', userId)
    .where('is_practice', '=', false)
    .where('deleted_at', 'is', null)
    .where('final_score', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return pitch?.score ?? null
}

/** The best pitch that counts: a take that was submitted since an instant and approved. */
export async function findApprovedPitch(
  tx: TenantTx,
  promptId: string,
  { userId, since, minScore }: { userId: string; since: Date; minScore: number | null },
): Promise<{ score: number } | undefined> {
  const { rows } = await sql<{ score: number }>`
    select round(take.final_score, 2)::float8 as score from enablement.pitch_submissions take
    where take.user_id = ${userId}::uuid and take.prompt_id = ${promptId}::uuid and not take.is_practice
      and take.status = 'reviewed' and take.passed and take.deleted_at is null and take.final_score is not null
      and take.submitted_at >= ${since} and (${minScore}::integer is null or take.final_score >= ${minScore}::integer)
    order by take.final_score desc limit 1
  `.execute(tx)
  return rows[0]
}

export async function listAssigneeIds(tx: TenantTx, promptId: string): Promise<string[]> {
  const assignments = await tx
    .selectFrom('enablement.pitch_assignments')
    .select('user_id')
    .where('prompt_id', '=', promptId)
    .execute()
  return assignments.map(({ user_id }) => user_id)
}

export const lockPromptOfModule = (tx: TenantTx, id: string): Promise<{ id: string } | undefined> =>
  tx
    .selectFrom('enablement.pitch_prompts')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()

export async function filterActivePromptIds(tx: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from enablement.pitch_prompts where id = any (${ids}::uuid[]) and status = 'active' and deleted_at is null
  `.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
