import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalid, notFound, roleRequired, versionMismatch } from '#platform/errors'
import type { Services } from '#platform/module'
import { assertAssignable } from '../leads/assignment.service.ts'
import { type LeadRow, lockAnyLead } from '../leads/leads.queries.ts'
import {
  type ActivityRow,
  changeActivityFields,
  findActivity,
  leadIdsOf,
  lockActivity,
  removeActivity,
} from './activities.queries.ts'
import type { Activity, ActivityChanges } from './activities.schemas.ts'
import { assertEditable, assertOutcome, instantOf, pastInstant } from './activity.rules.ts'
import { lockAround, retraceAround } from './activity-parents.queries.ts'
import { announceCorrection, getParent } from './activity-parents.service.ts'
import { followChange, takeBack } from './lead-effects.service.ts'
import { showActivity, type TimelineOf } from './log-activity.service.ts'

type Target = { timeline: TimelineOf; activityId: string; expectedVersion?: number }

/** Puts right what was logged, or says that a task is done. */
export async function changeActivity(
  tx: TenantTx,
  actor: SignedIn,
  target: Target,
  changes: ActivityChanges,
  { clock }: Pick<Services, 'clock'>,
): Promise<Activity> {
  const now = clock.now()
  const { parent, activity, lead } = await holdActivity(tx, actor, target)
  const asked = realChanges(activity, changes, now)
  if (!Object.keys(asked).length) return await showActivity(tx, activity)
  await assertAssignable(tx, asked.assignee_id, '/assignee_id')

  const changed = await changeActivityFields(tx, activity.id, asked)
  await record(tx, 'activity.updated', { id: activity.id, label: labelOf(changed), before: activity, after: changed })
  await announceCorrection(tx, target.timeline.kind, parent)
  if (lead && changed.outcome !== activity.outcome) await followChange(tx, lead, changed, now)
  return await showActivity(tx, changed)
}

/** Takes back what was logged by mistake. */
export async function deleteActivity(
  tx: TenantTx,
  actor: SignedIn,
  target: Target,
  { clock }: Pick<Services, 'clock'>,
): Promise<void> {
  const { parent, activity, lead } = await holdActivity(tx, actor, target)
  await removeActivity(tx, activity.id)
  await record(tx, 'activity.deleted', { id: activity.id, label: labelOf(activity), before: activity })
  await announceCorrection(tx, target.timeline.kind, parent)
  await retraceAround(tx, activity)
  if (lead) await takeBack(tx, lead, clock.now())
}

/** The entry, locked after its lead, if it stands in this timeline and is this person's to change. */
async function holdActivity(tx: TenantTx, actor: SignedIn, { timeline, activityId, expectedVersion }: Target) {
  const parent = await getParent(tx, timeline.kind, timeline.id)
  const found = await findActivity(tx, activityId)
  if (!found || !(await standsIn(tx, found, timeline))) throw notFound('activity')
  assertEditable(found)
  const isManager = actor.role === 'admin' || actor.role === 'manager'
  if (!isManager && found.actor_user_id !== actor.userId)
    throw roleRequired('Only managers, and whoever logged the activity, may change it.')
  const lead = found.lead_id === null ? undefined : await holdLead(tx, found.lead_id)
  await lockAround(tx, found)
  const activity = await lockActivity(tx, activityId)
  if (!activity) throw notFound('activity')
  if (expectedVersion !== undefined && expectedVersion !== activity.version) throw versionMismatch()
  return { parent, activity, lead }
}

async function standsIn(tx: TenantTx, activity: ActivityRow, { kind, id }: TimelineOf): Promise<boolean> {
  if (activity[`${kind}_id`] === id) return true
  return kind === 'contact' && activity.lead_id !== null && (await leadIdsOf(tx, id)).includes(activity.lead_id)
}

/** The lead of an entry in a contact's timeline may be gone by now. */
async function holdLead(tx: TenantTx, leadId: string): Promise<LeadRow | undefined> {
  const lead = await lockAnyLead(tx, leadId)
  return lead?.deleted_at === null ? lead : undefined
}

/** Of what was asked for, what changes something. */
function realChanges(activity: ActivityRow, { due_at, completed_at, ...changes }: ActivityChanges, now: Date) {
  assertOutcome(activity.type, changes.outcome)
  if (completed_at && activity.type !== 'task')
    throw invalid('body', '/completed_at', 'unexpected', 'Only a task can be completed.')
  const after: Partial<ActivityRow> = {
    ...changes,
    ...(due_at !== undefined && { due_at: due_at === null ? null : instantOf(due_at, '/due_at') }),
    ...(completed_at !== undefined && {
      completed_at: completed_at === null ? null : pastInstant(completed_at, '/completed_at', now),
    }),
  }
  const known: Record<string, unknown> = activity
  const differing = Object.entries(after).filter(([field, value]) => !isDeepStrictEqual(known[field], value))
  return Object.fromEntries(differing) as Partial<Pick<ActivityRow, keyof ActivityChanges>>
}

const labelOf = ({ subject, type }: ActivityRow): string => subject ?? type
