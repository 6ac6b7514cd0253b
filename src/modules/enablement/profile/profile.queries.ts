import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function countActiveRooms(tx: TenantTx, ownerId: string): Promise<number> {
  const { rooms } = await tx
    .selectFrom('enablement.rooms')
    .select(sql<number>`count(*)::integer`.as('rooms'))
    .where('owner_id', '=', ownerId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return rooms
}

export async function countEnrollments(
  tx: TenantTx,
  userId: string,
  today: string,
): Promise<{ open: number; overdue: number }> {
  return await tx
    .selectFrom('enablement.learning_enrollments')
    .select([
      sql<number>`count(*)::integer`.as('open'),
      sql<number>`count(*) filter (where due_on < ${today}::date)::integer`.as('overdue'),
    ])
    .where('user_id', '=', userId)
    .where('status', 'in', [sql.lit('not_started'), sql.lit('in_progress')])
    .executeTakeFirstOrThrow()
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
