import { queueEmails } from '#modules/email'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { defineJobHandler, enqueue, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { findSurveyIncludingDeleted } from '../../design/survey-records/surveys.queries.ts'
import { hasEnded } from '../../design/survey-records/surveys.rules.ts'
import { lockInvitations } from '../invitations/invitations.queries.ts'
import { reminderEmailKind } from '../survey-emails/survey-emails.ts'
import { sendReminders } from './distribution-jobs.ts'
import { findDistribution } from './distributions.queries.ts'
import { listDueReminderIds, markReminded } from './reminders.queries.ts'

const batchSize = 500
const pausedSeconds = 3_600

type Reminder = { distribution_id: string; number: number }

/** Queues the reminders of a distribution. While the survey is paused, the job starts again every hour. */
export const sendRemindersHandler = ({ clock }: Pick<Services, 'clock'>): JobHandler =>
  defineJobHandler(sendReminders, async (job, reminder) => {
    for (let after: string | null = nilUuid; after !== null; ) {
      job.signal.throwIfAborted()
      const from: string = after
      after = await job.inTenant((tx) => queueReminders(tx, reminder, from, clock.now()))
    }
  })

/** Returns the last invitation of the batch, or null at the end. */
async function queueReminders(tx: TenantTx, reminder: Reminder, after: string, now: Date): Promise<string | null> {
  const distribution = await findDistribution(tx, reminder.distribution_id)
  const survey = distribution && (await findSurveyIncludingDeleted(tx, distribution.survey_id))
  if (!survey || survey.deleted_at || hasEnded(survey, now) || distribution.status === 'cancelled') return null
  if (survey.status === 'paused') {
    await enqueue(tx, sendReminders, reminder, { startAfter: secondsLater(now, pausedSeconds) })
    return null
  }
  const { number } = reminder
  const ids = await listDueReminderIds(tx, distribution.id, { number, after, now, limit: batchSize })
  await lockInvitations(tx, ids)
  const reminded = await markReminded(tx, ids, number)
  await queueEmails(
    tx,
    reminded.map(({ id, email, name, lead_id, contact_id }) => ({
      kind: reminderEmailKind,
      ref_id: id,
      to: { address: email, name },
      lead_id,
      contact_id,
      run_at: now,
      created_by: distribution.created_by,
    })),
  )
  return ids.length < batchSize ? null : ids.at(-1)!
}
