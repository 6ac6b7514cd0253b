import { sql } from 'kysely'
import { listTenantsAsRetention, type SystemTx, type TenantTx } from '#platform/db'

export const listTenantsWithOverdueAttempts = (system: SystemTx, before: Date): Promise<string[]> =>
  listTenantsAsRetention(system, async (tx) => {
    const { rows } = await sql<{ tenant_id: string }>`
      select distinct tenant_id from enablement.quiz_attempts
      where state = 'open' and deadline_at is not null and deadline_at < ${before}
    `.execute(tx)
    return rows.map(({ tenant_id }) => tenant_id)
  })

export type OverdueAttempt = { id: string; enrollment_id: string; module_id: string }

export const listOverdueAttempts = (tx: TenantTx, before: Date, limit: number): Promise<OverdueAttempt[]> =>
  tx
    .selectFrom('enablement.quiz_attempts')
    .select(['id', 'enrollment_id', 'module_id'])
    .where('state', '=', sql.lit('open'))
    .where('deadline_at', '<', before)
    .orderBy('deadline_at')
    .orderBy('id')
    .limit(limit)
    .execute()
