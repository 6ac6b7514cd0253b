import { sql } from 'kysely'
import { acquireAdvisoryLock, type TenantTx } from '#platform/db'

/** Calls that start at the same time must not exceed the limits together. */
export const lockVoiceMinutes = (tx: TenantTx): Promise<void> => acquireAdvisoryLock(tx, 'voice_minutes')

export type VoiceUsage = { userCalls: number; userSeconds: number; tenantSeconds: number }

export async function readVoiceUsage(tx: TenantTx, userId: string, since: Date): Promise<VoiceUsage> {
  return await tx
    .selectFrom('enablement.coaching_sessions')
    .select([
      sql<number>`(count(*) filter (where rep_id = ${userId}::uuid))::integer`.as('userCalls'),
      sql<number>`coalesce(sum(voice_seconds), 0)::integer`.as('tenantSeconds'),
      sql<number>`coalesce(sum(voice_seconds) filter (where rep_id = ${userId}::uuid), 0)::integer`.as('userSeconds'),
    ])
    .where('mode', '=', sql.lit('voice'))
    .where('started_at', '>=', since)
    .executeTakeFirstOrThrow()
}
