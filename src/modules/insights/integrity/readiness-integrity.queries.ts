import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const levelOfScore = sql`case when score_tenths is null then 'unknown' when score_tenths >= 800 then 'ready'
  when score_tenths >= 600 then 'developing' when score_tenths >= 400 then 'at_risk' else 'not_ready' end`

/** Users whose level differs from their score. */
export async function findWrongLevels(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select user_id as id from enablement.readiness_scores where level <> ${levelOfScore} order by user_id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Locks in id order to avoid deadlocks. */
export async function correctLevels(tx: TenantTx, ids: readonly string[]): Promise<number> {
  await sql`
    select user_id from enablement.readiness_scores where user_id = any (${ids}::uuid[]) order by user_id for update
  `.execute(tx)
  const { rows } = await sql`
    update enablement.readiness_scores set level = ${levelOfScore}
    where user_id = any (${ids}::uuid[]) and level <> ${levelOfScore} returning user_id
  `.execute(tx)
  return rows.length
}
