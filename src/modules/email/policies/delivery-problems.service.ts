import { Type } from 'typebox'
import { listActiveAdminIds, timezoneOf } from '#modules/identity'
import { addDays, dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { strict } from '#platform/schema'
import { addEmailCounts, type EmailCounts, sumEmailCounts } from './email-counters.queries.ts'
import { hasDeliveryProblem, observedDays } from './email-limits.rules.ts'

const count = Type.Integer({ minimum: 0 })

const deliveryProblem = defineNotification('email.delivery_problem', {
  description: 'many marketing emails bounce, or recipients complain about them',
  payload: strict({ emails: count, bounced: count, complained: count }),
  text: ({ emails, bounced, complained }) => ({
    title: 'Marketing emails bounce or are reported as spam',
    body: `Of ${emails} marketing emails of the last seven days, ${bounced} bounced and ${complained} were reported as spam. Mail providers reject email of senders with such rates. Check where the addresses come from.`,
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})

export async function recordReturnedEmails(
  tx: TenantTx,
  now: Date,
  returned: Partial<Pick<EmailCounts, 'bounced' | 'complained'>>,
): Promise<void> {
  if (!returned.bounced && !returned.complained) return
  const day = dayInTimezone(now, await timezoneOf(tx))
  await addEmailCounts(tx, day, returned)
  const counts = await sumEmailCounts(tx, addDays(day, 1 - observedDays))
  if (!hasDeliveryProblem(counts)) return
  for (const adminId of await listActiveAdminIds(tx))
    await notify(tx, adminId, deliveryProblem, counts, { dedupeKey: `email.delivery_problem:${day}:${adminId}` })
}
