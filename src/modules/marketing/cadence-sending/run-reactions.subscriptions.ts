import { contactActivityLogged, contactUpdated, leadActivityLogged, leadUpdated, personOptedOut } from '#events/crm'
import { userDeactivated } from '#events/identity'
import { completeTasks, listOutreachPersons, listTaskStates } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { enqueue } from '#platform/jobs'
import { subscribe, subscribeInTransaction } from '#platform/outbox'
import { exitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { type FinishedRun, finishRuns } from '../cadence-runs/finish-runs.service.ts'
import { listTaskIdsOfEnrollments, listTaskRunsOfPersons } from '../cadence-tasks/step-tasks.queries.ts'
import { cadenceExited } from '../marketing.events.ts'
import { listEnrollmentsEndedByMeeting, listLiveEnrollmentsOfAddresses } from './enrollment-reactions.queries.ts'
import { pauseSender } from './pause-sender.jobs.ts'

/** After the commit, because reports of mail servers lock the email after they opt the person out. */
const onOptOut = subscribe(
  personOptedOut,
  'marketing.end_enrollments_of_opted_out',
  async (tx, { data: { channel, lead_ids, contact_ids }, occurred_at }) => {
    if (channel !== 'email') return
    const ids = { leadIds: lead_ids, contactIds: contact_ids }
    const persons = await listOutreachPersons(tx, ids)
    const addresses = [...persons.values()].flatMap(({ email }) => email?.toLowerCase() ?? [])
    const enrollmentIds = await listLiveEnrollmentsOfAddresses(tx, ids, addresses)
    await exitEnrollments(tx, enrollmentIds, 'opted_out', occurred_at)
  },
)

const meetingTypes = ['meeting', 'meeting_booked']

const onMeetingOf = (event: typeof leadActivityLogged, kind: 'lead' | 'contact') =>
  subscribeInTransaction(event, `marketing.end_enrollments_of_${kind}_meetings`, async (tx, events) => {
    const meetings = events.filter(({ data }) => meetingTypes.includes(data.type))
    if (!meetings.length) return
    const ids = meetings.map(({ subject }) => subject.id)
    const persons = { leadIds: kind === 'lead' ? ids : [], contactIds: kind === 'contact' ? ids : [] }
    const enrollmentIds = await listEnrollmentsEndedByMeeting(tx, persons)
    await exitEnrollments(tx, enrollmentIds, 'meeting_booked', meetings[0]!.occurred_at)
  })

/** Continues after tasks that were completed or deleted in the timeline of the person. */
const onTasksOf = (event: typeof leadUpdated, kind: 'lead' | 'contact') =>
  subscribeInTransaction(event, `marketing.continue_after_tasks_of_${kind}s`, async (tx, events) => {
    const changed = events.filter(({ data }) => data.changed.includes('activities'))
    if (!changed.length) return
    await finishClosedTasks(
      tx,
      kind,
      changed.map(({ subject }) => subject.id),
      changed[0]!.occurred_at,
    )
  })

async function finishClosedTasks(tx: TenantTx, kind: 'lead' | 'contact', ids: readonly string[], now: Date) {
  const runs = await listTaskRunsOfPersons(tx, `${kind}_id`, ids)
  if (!runs.length) return
  const tasks = await listTaskStates(
    tx,
    runs.map(({ activity_id }) => activity_id),
  )
  await finishRuns(
    tx,
    runs.flatMap(({ run_id, activity_id }): FinishedRun[] => {
      const task = tasks.get(activity_id)
      if (!task)
        return [{ id: run_id, state: 'skipped', skip_reason: 'task_deleted', at: now, measure: 'tasks_skipped' }]
      return task.isCompleted ? [{ id: run_id, state: 'done', at: now, measure: 'tasks_done' }] : []
    }),
  )
}

/** After the commit, because activities are locked before enrollments. */
const onExit = subscribe(
  cadenceExited,
  'marketing.close_tasks_of_ended',
  async (tx, { data: { enrollments }, occurred_at, isTruncated, origin }) => {
    if (isTruncated || origin === 'sample') return
    const taskIds = await listTaskIdsOfEnrollments(
      tx,
      enrollments.map(({ id }) => id),
    )
    await completeTasks(tx, taskIds, { outcome: 'skipped', at: occurred_at })
  },
)

const onUserDeactivated = subscribe(
  userDeactivated,
  'marketing.pause_enrollments_of_sender',
  (tx, { subject }) => enqueue(tx, pauseSender, { user_id: subject.id }),
  { inTransaction: true },
)

export const runReactionSubscriptions = [
  onOptOut,
  onMeetingOf(leadActivityLogged, 'lead'),
  onMeetingOf(contactActivityLogged, 'contact'),
  onTasksOf(leadUpdated, 'lead'),
  onTasksOf(contactUpdated, 'contact'),
  onExit,
  onUserDeactivated,
]
