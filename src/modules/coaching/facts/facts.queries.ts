import { sql } from 'kysely'
import { type ComparedPeriod, isAnyOf, isInPeriod, isInPreviousPeriod, type TenantTx } from '#platform/db'

const isEvidence = sql<boolean>`not is_private and practice_reason is null`

export type ScoredSession = {
  id: string
  user_id: string
  score: number
  finished_at: Date
  criteria: { name: string; score: number | null }[] | null
}

/** Sessions that count as evidence, the newest first. */
export async function listScoredSessions(
  tx: TenantTx,
  userIds: readonly string[],
  since: Date,
): Promise<ScoredSession[]> {
  const { rows } = await sql<ScoredSession>`
    select id, rep_id as user_id, score, finished_at, scorecard -> 'criteria' as criteria
    from enablement.coaching_sessions
    where ${isAnyOf('rep_id', userIds)} and finished_at >= ${since} and status in ('completed', 'finished')
      and ${isEvidence} and not insufficient and score is not null
    order by finished_at desc, id
  `.execute(tx)
  return rows
}

type CoachingFacts = {
  count: number
  previous: number
  score_sum: number
  scored: number
  judged: number
  passed: number
}

/** Ended sessions of sellers that are neither private nor too short. */
export async function readCoachingFacts(
  tx: TenantTx,
  period: ComparedPeriod,
  users: readonly string[] | null,
): Promise<CoachingFacts> {
  const { rows } = await sql<CoachingFacts>`
    select count(*) filter (where ${isInPeriod('finished_at', period)})::integer as count,
      count(*) filter (where ${isInPreviousPeriod('finished_at', period)})::integer as previous,
      coalesce(sum(score) filter (where ${isEvidence} and ${isInPeriod('finished_at', period)}), 0)::float8 as score_sum,
      count(score) filter (where ${isEvidence} and ${isInPeriod('finished_at', period)})::integer as scored,
      count(passed) filter (where ${isInPeriod('finished_at', period)})::integer as judged,
      count(*) filter (where passed and ${isInPeriod('finished_at', period)})::integer as passed
    from enablement.coaching_sessions
    where finished_at >= ${period.previousFrom} and status in ('completed', 'finished') and not is_private and not insufficient
      and ${isAnyOf('rep_id', users)}
  `.execute(tx)
  return rows[0]!
}

export async function listRepIds(tx: TenantTx, sessionId: string): Promise<string[]> {
  const sessions = await tx
    .selectFrom('enablement.coaching_sessions')
    .select('rep_id')
    .where('id', '=', sessionId)
    .where('is_private', '=', false)
    .execute()
  return sessions.map(({ rep_id }) => rep_id)
}

/** The best roleplay that counts: finished since an instant, not private, and passed or with the minimum score. */
export async function findPassedRoleplay(
  tx: TenantTx,
  scenarioId: string,
  {
    userId,
    since,
    minScore,
    allowsVoice,
  }: { userId: string; since: Date; minScore: number | null; allowsVoice: boolean },
): Promise<{ score: number } | undefined> {
  const { rows } = await sql<{ score: number }>`
    select session.score from enablement.coaching_sessions session
    where session.rep_id = ${userId}::uuid and session.scenario_id = ${scenarioId}::uuid and session.kind = 'roleplay'
      and session.status = 'finished' and ${isEvidence} and session.score is not null
      and session.started_at >= ${since} and (session.mode = 'text' or ${allowsVoice}::boolean)
      and case when ${minScore}::integer is null then session.passed else session.score >= ${minScore}::integer end
    order by session.score desc limit 1
  `.execute(tx)
  return rows[0]
}

export async function hasPublishedScenarios(tx: TenantTx): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (select from enablement.coaching_scenarios where status = 'published' and deleted_at is null)
  `.execute(tx)
  return rows[0]!.exists
}

export async function filterPublishedScenarioIds(tx: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from enablement.coaching_scenarios where id = any (${ids}::uuid[]) and status = 'published' and deleted_at is null
  `.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
