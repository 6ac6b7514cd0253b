import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

export async function listSendCounts(
  tx: TenantTx,
  day: string,
  senderIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('marketing.cadence_send_counts')
    .select(['sender_id', 'emails'])
    .where('day', '=', day)
    .where('sender_id', '=', sql<string>`any(${senderIds}::uuid[])`)
    .execute()
  return new Map(rows.map(({ sender_id, emails }) => [sender_id, emails]))
}

/** For transactions that hold the places of the day (`lockEmailPlaces`). */
export async function addSendCounts(tx: TenantTx, day: string, counts: ReadonlyMap<string, number>): Promise<void> {
  if (!counts.size) return
  const added = [...counts].map(([sender_id, emails]) => ({ day, sender_id, emails }))
  const { columns, rows } = selectRows(
    added.toSorted((one, other) => (one.sender_id < other.sender_id ? -1 : 1)),
    { day: 'date', sender_id: 'uuid', emails: 'integer' },
  )
  await tx
    .insertInto('marketing.cadence_send_counts')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'day', 'sender_id'])
        .doUpdateSet({ emails: sql`cadence_send_counts.emails + excluded.emails` }),
    )
    .execute()
}
