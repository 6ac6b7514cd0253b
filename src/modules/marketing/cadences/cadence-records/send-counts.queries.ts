import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import type { Counts } from './enrollment-states.rules.ts'

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

const toCounts = (rows: readonly { measure: string; value: number }[]): Counts =>
  Object.fromEntries(rows.map(({ measure, value }) => [measure, value]))

export async function listCadenceTotals(tx: TenantTx, cadenceIds: readonly string[]): Promise<Map<string, Counts>> {
  if (!cadenceIds.length) return new Map()
  const rows = await tx
    .selectFrom('marketing.cadence_counts')
    .select(['cadence_id', 'measure', 'value'])
    .where('cadence_id', '=', sql<string>`any(${cadenceIds}::uuid[])`)
    .where('step_id', '=', sql<string>`any(${cadenceIds}::uuid[])`)
    .execute()
  const byCadence = Map.groupBy(rows, ({ cadence_id }) => cadence_id)
  return new Map([...byCadence].map(([id, counts]) => [id, toCounts(counts)]))
}

/** Counts of a cadence, by step; those of the whole cadence have its id. */
export async function listCountsOf(tx: TenantTx, cadenceId: string): Promise<Map<string, Counts>> {
  const rows = await tx
    .selectFrom('marketing.cadence_counts')
    .select(['step_id', 'measure', 'value'])
    .where('cadence_id', '=', cadenceId)
    .execute()
  return new Map([...Map.groupBy(rows, ({ step_id }) => step_id)].map(([id, counts]) => [id, toCounts(counts)]))
}
