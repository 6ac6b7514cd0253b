import { sql } from 'kysely'
import { listTenantsAsRetention, type SystemTx, type TenantTx } from '#platform/db'

export type OverdueLimits = { evaluatingBefore: Date; activeBefore: Date }

export const listTenantsWithOverdueRoleplays = (
  system: SystemTx,
  { evaluatingBefore, activeBefore }: OverdueLimits,
): Promise<string[]> =>
  listTenantsAsRetention(system, async (tx) => {
    const { rows } = await sql<{ tenant_id: string }>`
      select tenant_id from enablement.coaching_sessions
      where status = 'evaluating' and last_activity_at < ${evaluatingBefore}
      union select tenant_id from enablement.coaching_sessions
      where status = 'active' and last_activity_at < ${activeBefore}
    `.execute(tx)
    return rows.map(({ tenant_id }) => tenant_id)
  })

export const listOverdueRoleplays = (
  tx: TenantTx,
  { evaluatingBefore, activeBefore }: OverdueLimits,
  limit: number,
): Promise<{ id: string; turns: number; status: string }[]> =>
  tx
    .selectFrom('enablement.coaching_sessions')
    .select(['id', 'turns', 'status'])
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'evaluating'), eb('last_activity_at', '<', evaluatingBefore)]),
        eb.and([eb('status', '=', 'active'), eb('last_activity_at', '<', activeBefore)]),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
