import { Type } from 'typebox'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { defineJob, enqueue } from '#platform/jobs'
import { Id, strict } from '#platform/schema'
import type { DistributionRow } from './distributions.queries.ts'

/** `number` is 1 for the first reminder. */
export const sendReminders = defineJob(
  'surveys.send_reminders',
  'bulk',
  strict({ distribution_id: Id, number: Type.Integer({ minimum: 1, maximum: 3 }) }),
)

type Reminded = Pick<DistributionRow, 'id' | 'send_at' | 'reminder_days'>

export async function enqueueReminders(tx: TenantTx, { id, send_at, reminder_days }: Reminded): Promise<void> {
  for (const [index, days] of reminder_days.entries())
    await enqueue(
      tx,
      sendReminders,
      { distribution_id: id, number: index + 1 },
      { startAfter: daysLater(send_at, days) },
    )
}
