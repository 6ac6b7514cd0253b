import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const batchSize = 1_000

export async function hasThreads(tx: TenantTx, roomId: string): Promise<boolean> {
  const thread = await tx
    .selectFrom('community.threads')
    .select('id')
    .where('room_id', '=', roomId)
    .where('deleted_at', 'is', null)
    .limit(sql.lit(1))
    .executeTakeFirst()
  return thread !== undefined
}

export async function deleteThreadRowsOfRoom(tx: TenantTx, roomId: string): Promise<number> {
  const threads = await tx
    .selectFrom('community.threads')
    .select('id')
    .where('room_id', '=', roomId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(sql.lit(batchSize))
    .forUpdate()
    .execute()
  await tx
    .updateTable('community.threads')
    .set({ deleted_at: sql`now()`, is_pinned: false, pinned_at: null, pinned_by: null })
    .where('id', '=', sql<string>`any(${threads.map(({ id }) => id)}::uuid[])`)
    .execute()
  return threads.length
}

export async function countPinnedThreads(tx: TenantTx, roomId: string): Promise<number> {
  const { pinned } = await tx
    .selectFrom('community.threads')
    .select(({ fn }) => fn.countAll<number>().as('pinned'))
    .where('room_id', '=', roomId)
    .where('is_pinned', '=', true)
    .executeTakeFirstOrThrow()
  return pinned
}
