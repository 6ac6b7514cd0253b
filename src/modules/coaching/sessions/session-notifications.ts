import { Type } from 'typebox'
import { filterActiveUserIds } from '#modules/identity'
import { actorOf, type TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, nullable, strict } from '#platform/schema'
import type { SessionRow } from './session-row.ts'

const session = { session_id: Id, title: Type.String() }
const pathOf = (sessionId: string) => `/coaching/sessions/${sessionId}`

const sessionScheduled = defineNotification('coaching.session_scheduled', {
  description: 'a coaching session with you was scheduled',
  payload: strict(session),
  text: ({ session_id, title }) => ({
    title: `Coaching session: ${title}`,
    body: 'A coaching session with you was scheduled.',
    path: pathOf(session_id),
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})

const sessionCompleted = defineNotification('coaching.session_completed', {
  description: 'your coach has completed a coaching session',
  payload: strict({ ...session, score: nullable(Type.Integer()) }),
  text: ({ session_id, title, score }) => ({
    title: `Results of your coaching session: ${title}`,
    body: score === null ? 'Your coach has completed the session.' : `Your coach gave ${score} of 100 points.`,
    path: pathOf(session_id),
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})

const sessionCancelled = defineNotification('coaching.session_cancelled', {
  description: 'a coaching session with you was cancelled',
  payload: strict(session),
  text: ({ session_id, title }) => ({
    title: `Coaching session cancelled: ${title}`,
    body: 'The coaching session with you was cancelled.',
    path: pathOf(session_id),
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})

const roleplayFinished = defineNotification('coaching.roleplay_finished', {
  description: 'a roleplay that you left open was scored',
  payload: strict({ ...session, score: nullable(Type.Integer()) }),
  text: ({ session_id, title, score }) => ({
    title: `Results of your roleplay: ${title}`,
    body: score === null ? 'The roleplay has ended without a score.' : `You have ${score} of 100 points.`,
    path: pathOf(session_id),
  }),
  channels: { in_app: true, email: false },
  canBeDisabled: true,
})

const resourceOf = ({ id }: SessionRow) => ({ resource: { type: 'coaching_session', id } })

export async function notifySessionScheduled(tx: TenantTx, scheduled: SessionRow): Promise<void> {
  const { id, scenario_snapshot } = scheduled
  const payload = { session_id: id, title: scenario_snapshot.title }
  for (const userId of await filterActiveUserIds(tx, others(tx, scheduled)))
    await notify(tx, userId, sessionScheduled, payload, resourceOf(scheduled))
}

/** The participants except for the user who acts. */
const others = (tx: TenantTx, { rep_id, coach_id }: SessionRow): string[] =>
  [rep_id, ...(coach_id ? [coach_id] : [])].filter((userId) => userId !== actorOf(tx).userId)

export async function notifySessionCancelled(tx: TenantTx, cancelled: SessionRow): Promise<void> {
  const payload = { session_id: cancelled.id, title: cancelled.scenario_snapshot.title }
  for (const userId of await filterActiveUserIds(tx, others(tx, cancelled)))
    await notify(tx, userId, sessionCancelled, payload, resourceOf(cancelled))
}

export async function notifySessionCompleted(tx: TenantTx, completed: SessionRow): Promise<void> {
  const { id, rep_id, score, scenario_snapshot } = completed
  const payload = { session_id: id, title: scenario_snapshot.title, score }
  for (const userId of await filterActiveUserIds(tx, [rep_id]))
    await notify(tx, userId, sessionCompleted, payload, resourceOf(completed))
}

/** Sent by a job, which may run twice. */
export async function notifyRoleplayFinished(tx: TenantTx, finished: SessionRow): Promise<void> {
  const { id, rep_id, score, scenario_snapshot } = finished
  const payload = { session_id: id, title: scenario_snapshot.title, score }
  const options = { ...resourceOf(finished), dedupeKey: `roleplay:${id}` }
  for (const userId of await filterActiveUserIds(tx, [rep_id]))
    await notify(tx, userId, roleplayFinished, payload, options)
}
