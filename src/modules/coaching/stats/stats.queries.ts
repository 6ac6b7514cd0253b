import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { Difficulty } from '../scenarios/scenarios.schemas.ts'
import type { CountedSession, ScenarioChoice } from './stats.rules.ts'

const maxSessions = 1_000
const maxScenarios = 200

/** Ended sessions that count: neither private nor too short, the newest first. */
export const listCountedSessions = (tx: TenantTx, repId: string, since: Date): Promise<CountedSession[]> =>
  tx
    .selectFrom('enablement.coaching_sessions')
    .select(['kind', 'scenario_id', 'score', 'passed', 'scorecard', 'coach_scores', 'started_at', 'finished_at'])
    .select(sql<string>`scenario_snapshot ->> 'type'`.as('type'))
    .where('rep_id', '=', repId)
    .where('created_at', '>=', since)
    .where('status', 'in', ['completed', 'finished'])
    .where('is_private', '=', false)
    .where('insufficient', '=', false)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxSessions)
    .$castTo<CountedSession>()
    .execute()

export async function countOpenActionItems(tx: TenantTx, repId: string): Promise<number> {
  const { open } = await tx
    .selectFrom('enablement.coaching_sessions')
    .select(
      sql<number>`coalesce(sum((select count(*) from jsonb_array_elements(action_items) as item
        where not (item ->> 'done')::boolean)), 0)::integer`.as('open'),
    )
    .where('rep_id', '=', repId)
    .where('is_private', '=', false)
    .executeTakeFirstOrThrow()
  return open
}

/** Published scenarios that can be recommended, the oldest first. */
export async function listScenarioChoices(tx: TenantTx): Promise<ScenarioChoice[]> {
  const scenarios = await tx
    .selectFrom('enablement.coaching_scenarios')
    .select(['id', 'title', 'difficulty'])
    .select(
      sql<string[]>`array(select criterion ->> 'name' from jsonb_array_elements(rubric) as criterion)`.as('criteria'),
    )
    .where('status', '=', 'published')
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxScenarios)
    .execute()
  return scenarios.map((scenario) => ({ ...scenario, difficulty: scenario.difficulty as Difficulty }))
}
