import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type Attempts = { scenario_id: string; attempts: number; best_score: number | null }

/** Roleplays of a user per scenario. Private and abandoned ones count nowhere. */
export async function listAttempts(tx: TenantTx, userId: string, scenarioIds: readonly string[]): Promise<Attempts[]> {
  return await tx
    .selectFrom('enablement.coaching_sessions')
    .select(({ fn }) => ['scenario_id', fn.countAll<number>().as('attempts'), fn.max('score').as('best_score')])
    .where('scenario_id', '=', sql<string>`any(${scenarioIds}::uuid[])`)
    .where('rep_id', '=', userId)
    .where('kind', '=', 'roleplay')
    .where('is_private', '=', false)
    .where('status', '<>', 'abandoned')
    .groupBy('scenario_id')
    .$castTo<Attempts>()
    .execute()
}

export async function hasSessions(tx: TenantTx, scenarioId: string): Promise<boolean> {
  const session = await tx
    .selectFrom('enablement.coaching_sessions')
    .select('id')
    .where('scenario_id', '=', scenarioId)
    .limit(1)
    .executeTakeFirst()
  return session !== undefined
}
