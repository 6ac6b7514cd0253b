import { Type } from 'typebox'
import { TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { defineJob, enqueue } from '#platform/jobs'
import { Id, strict } from '#platform/schema'
import { defineTask, type StartedTask, startTask } from '#platform/tasks'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
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

export const revokePending = defineJob('surveys.revoke_invitations', 'bulk', strict({ distribution_id: Id }))

export const DistributeInput = strict({ distribution_id: Id, by: TaskRequester })
export const distributeTask = defineTask('surveys.distribute', 'bulk', DistributeInput)

type NewTask = { survey: Pick<SurveyRow, 'id' | 'name'>; distributionId: string; total: number }

export const startDistributing = (
  tx: TenantTx,
  actor: UserActor,
  { survey, distributionId, total }: NewTask,
): Promise<StartedTask> =>
  startTask(
    tx,
    distributeTask,
    { distribution_id: distributionId, by: toTaskRequester(actor) },
    { title: `Send the survey "${survey.name}"`, total, resource: { type: 'survey', id: survey.id } },
  )
