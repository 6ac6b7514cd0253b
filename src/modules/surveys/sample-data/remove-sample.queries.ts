import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Questions, links and responses are deleted with their surveys. */
export async function deleteSampleSurveys(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`select id from surveys.surveys where id = any (${ids}::uuid[]) order by id for update`.execute(tx)
  await sql`delete from surveys.surveys where id = any (${ids}::uuid[])`.execute(tx)
}
