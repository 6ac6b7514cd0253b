import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type Practice = { userId: string; since: Date; minScore: number | null }

/** The best roleplay that counts: finished since an instant, not private, and passed or with the minimum score. */
export async function findPassedRoleplay(
  tx: TenantTx,
  scenarioId: string,
  { userId, since, minScore, allowsVoice }: Practice & { allowsVoice: boolean },
): Promise<{ score: number } | undefined> {
  const { rows } = await sql<{ score: number }>`
    select session.score from enablement.coaching_sessions session
    where session.rep_id = ${userId}::uuid and session.scenario_id = ${scenarioId}::uuid and session.kind = 'roleplay'
      and session.status = 'finished' and not session.is_private and session.score is not null
      and session.started_at >= ${since} and (session.mode = 'text' or ${allowsVoice}::boolean)
      and case when ${minScore}::integer is null then session.passed else session.score >= ${minScore}::integer end
    order by session.score desc limit 1
  `.execute(tx)
  return rows[0]
}

/** The best pitch that counts: a take that was submitted since an instant and approved. */
export async function findApprovedPitch(
  tx: TenantTx,
  promptId: string,
  { userId, since, minScore }: Practice,
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

type Practiced = { userId: string } & ({ scenarioId: string } | { promptId: string })

/** Open enrollments of a user with an open module of a scenario or a prompt. */
export async function listEnrollmentsToComplete(
  tx: TenantTx,
  practiced: Practiced,
): Promise<{ enrollment_id: string; module_id: string }[]> {
  const matches =
    'scenarioId' in practiced
      ? sql`module.scenario_id = ${practiced.scenarioId}::uuid`
      : sql`module.prompt_id = ${practiced.promptId}::uuid`
  const { rows } = await sql<{ enrollment_id: string; module_id: string }>`
    select own.enrollment_id, own.module_id from enablement.learning_enrollments enrollment
    join enablement.enrollment_modules own on own.enrollment_id = enrollment.id
    join enablement.learning_modules module on module.id = own.module_id
    where enrollment.user_id = ${practiced.userId}::uuid and enrollment.status in ('not_started', 'in_progress')
      and own.state in ('pending', 'in_progress') and ${matches}
    order by own.enrollment_id, own.module_id
  `.execute(tx)
  return rows
}
