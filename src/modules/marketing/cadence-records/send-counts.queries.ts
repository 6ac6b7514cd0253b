import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

export type SendCount = { day: string; sender_id: string; emails: number }

/** Counts of the senders on days, and of all senders together under `total`. */
export async function listSendCounts(
  tx: TenantTx,
  { from, to }: { from: string; to: string },
  senderIds: readonly string[],
): Promise<{ senders: SendCount[]; totals: Map<string, number> }> {
  const between = tx.selectFrom('marketing.cadence_send_counts').where('day', '>=', from).where('day', '<=', to)
  const [senders, totals] = await Promise.all([
    between
      .select(['day', 'sender_id', 'emails'])
      .where('sender_id', '=', sql<string>`any(${senderIds}::uuid[])`)
      .execute(),
    between
      .select(['day', sql<number>`sum(emails)::integer`.as('emails')])
      .groupBy('day')
      .execute(),
  ])
  return { senders, totals: new Map(totals.map(({ day, emails }) => [day, emails])) }
}

/** For transactions that hold the runs. */
export async function addSendCounts(tx: TenantTx, counts: readonly SendCount[]): Promise<void> {
  if (!counts.length) return
  const sorted = counts.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  const { columns, rows } = selectRows(sorted, { day: 'date', sender_id: 'uuid', emails: 'integer' })
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

const keyOf = ({ sender_id, day }: SendCount): string => `${sender_id} ${day}`

/** Gives places of runs that are not sent back to their days, so that others can use them. */
export async function releaseSendCounts(
  tx: TenantTx,
  places: readonly { day: string; sender_id: string }[],
): Promise<void> {
  if (!places.length) return
  const [days, senders] = [places.map(({ day }) => day), places.map(({ sender_id }) => sender_id)]
  const released = sql`(select day, sender_id, count(*)::integer as emails
    from unnest(${days}::date[], ${senders}::uuid[]) as place (day, sender_id) group by day, sender_id)`
  await sql`
    select sender_id from marketing.cadence_send_counts
    where (day, sender_id) in (select day, sender_id from ${released} as released) order by sender_id, day for update
  `.execute(tx)
  await sql`
    update marketing.cadence_send_counts count set emails = greatest(0, count.emails - released.emails)
    from ${released} as released where count.day = released.day and count.sender_id = released.sender_id
    returning count.sender_id
  `.execute(tx)
}
