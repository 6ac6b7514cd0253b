import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function lockSampleRooms(tx: TenantTx, roomIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from enablement.rooms where id = any (${roomIds}::uuid[]) order by id for update
  `.execute(tx)
  return rows.map(({ id }) => id)
}
