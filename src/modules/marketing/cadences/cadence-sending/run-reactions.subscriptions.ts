import { contactActivityLogged, contactUpdated, leadActivityLogged, leadUpdated, personOptedOut } from '#events/crm'
import { userDeactivated, userReactivated } from '#events/identity'
import { completeTasks, listActivitiesById, listHeldMeetings, listOutreachPersons } from '#modules/crm'
import { enqueue } from '#platform/jobs'
import { type EventEnvelope, subscribe, subscribeInTransaction } from '#platform/outbox'
import { cadenceExited } from '../../marketing.events.ts'
import { exitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { followTasks } from '../cadence-tasks/follow-tasks.service.ts'
import { listTaskIdsOfEnrollments } from '../cadence-tasks/step-tasks.queries.ts'
import { listLiveEnrollmentsOfAddresses } from './enrollment-reactions.queries.ts'
import { reactionTypes, toReaction } from './reactions.rules.ts'
import { applyReactions } from './replies.service.ts'
import { pauseSender, resumeSender } from './sender-status.jobs.ts'

/** After the commit, because reports of mail servers lock the email after they opt the person out. */
const onOptOut = subscribe(
  personOptedOut,
  'marketing.end_enrollments_of_opted_out',
  async (tx, { data: { channel, lead_ids, contact_ids }, occurred_at }) => {
    if (channel !== 'email') return
    const ids = { leadIds: lead_ids, contactIds: contact_ids }
    const persons = await listOutreachPersons(tx, ids)
    const addresses = [...persons.values()].flatMap(({ email }) => email?.toLowerCase() ?? [])
    const live = await listLiveEnrollmentsOfAddresses(tx, ids, addresses)
    await exitEnrollments(
      tx,
      live.map(({ id }) => id),
      'opted_out',
      occurred_at,
    )
  },
)

const onActivityOf = (event: typeof leadActivityLogged, kind: 'lead' | 'contact') =>
  subscribeInTransaction(event, `marketing.end_enrollments_of_${kind}_activities`, async (tx, events) => {
    const [first, ...others] = events.filter(({ data }) => reactionTypes.includes(data.type))
    if (!first) return
    const ids = [first, ...others].map(({ data }) => data.activity_id)
    const reactions = (await listActivitiesById(tx, ids)).flatMap((activity) => toReaction(activity) ?? [])
    await applyReactions(tx, reactions, first.occurred_at, { loggedBy: userIdOf(first.actor) })
  })

const userIdOf = ({ type, id }: EventEnvelope['actor']): string | null => (type === 'user' ? id : null)

/** Follows tasks that were changed in the timeline of the person, and ends enrollments after a meeting that was held. */
const onTimelineOf = (event: typeof leadUpdated, kind: 'lead' | 'contact') =>
  subscribeInTransaction(event, `marketing.continue_after_tasks_of_${kind}s`, async (tx, events) => {
    const changed = events.filter(({ data }) => data.changed.includes('activities'))
    if (!changed.length) return
    const ids = changed.map(({ subject }) => subject.id)
    const now = changed[0]!.occurred_at
    const meetings = await listHeldMeetings(tx, `${kind}_id`, ids)
    await applyReactions(
      tx,
      meetings.flatMap((meeting) => toReaction(meeting) ?? []),
      now,
    )
    await followTasks(tx, { kind, ids, now })
  })

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
  (tx, { subject, data }) => enqueue(tx, pauseSender, { user_id: subject.id, successor_id: data.reassign_to_user_id }),
  { inTransaction: true },
)

const onUserReactivated = subscribe(
  userReactivated,
  'marketing.resume_enrollments_of_sender',
  (tx, { subject }) => enqueue(tx, resumeSender, { user_id: subject.id }),
  { inTransaction: true },
)

export const runReactionSubscriptions = [
  onOptOut,
  onActivityOf(leadActivityLogged, 'lead'),
  onActivityOf(contactActivityLogged, 'contact'),
  onTimelineOf(leadUpdated, 'lead'),
  onTimelineOf(contactUpdated, 'contact'),
  onExit,
  onUserDeactivated,
  onUserReactivated,
]
