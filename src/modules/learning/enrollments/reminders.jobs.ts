import { filterActiveUserIds, timezoneOf } from '#modules/identity'
import { addDays, dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { defineTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { notifyDue } from './learner-notifications.ts'
import { listDueEnrollments, listTenantsWithDueEnrollments } from './reminders.queries.ts'
import { listReminders } from './reminders.rules.ts'

const batchSize = 1_000
const maxDays = 10

type Position = { due_on: string; id: string }

/** Reminds learners a week and a day before the due date, and a day and a week after it. */
export const sendLearningRemindersSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineTenantSchedule('enablement.send_learning_reminders', '19 6 * * *', {
    listTenants: (tx) => {
      const today = dayInTimezone(clock.now(), 'UTC')
      return listTenantsWithDueEnrollments(tx, { from: addDays(today, -maxDays), to: addDays(today, maxDays) })
    },
    async runForTenant({ inTenant, signal }) {
      let after: Position | undefined = { due_on: '1970-01-01', id: nilUuid }
      while (after) {
        signal.throwIfAborted()
        const from: Position = after
        after = await inTenant((tx) => remindBatch(tx, from, clock.now()))
      }
    },
  })

async function remindBatch(tx: TenantTx, after: Position, now: Date): Promise<Position | undefined> {
  const reminders = listReminders(dayInTimezone(now, await timezoneOf(tx)))
  const stepOf = new Map(reminders.map(({ due_on, step }) => [due_on, step]))
  const due = await listDueEnrollments(tx, [...stepOf.keys()], { after, limit: batchSize })
  const active = await filterActiveUserIds(
    tx,
    due.map(({ user_id }) => user_id),
  )
  for (const enrollment of due)
    if (active.has(enrollment.user_id))
      await notifyDue(tx, enrollment, { title: enrollment.title, step: stepOf.get(enrollment.due_on)! })
  return due.length === batchSize ? due.at(-1) : undefined
}
