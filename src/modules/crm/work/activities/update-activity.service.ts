import { isDeepStrictEqual } from 'node:util'
import { assertAssignable } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion, invalid, notFound, roleRequired } from '#platform/errors'
import type { Services } from '#platform/module'
import { type LeadRow, lockLeadIncludingDeleted } from '../../people/lead-records/leads.queries.ts'
import {
  type ActivityRow,
  deleteActivityRow,
  findActivity,
  listSourceLeadIds,
  lockActivity,
  updateActivityRow,
} from './activities.queries.ts'
import type { Activity, ActivityChanges } from './activities.schemas.ts'
import { type TimelineRef, toActivityDetails } from './activities.service.ts'
import { assertEditable, assertOutcome, parsePastInstant } from './activity.rules.ts'
import { lockActivityParents, recalculateLastActivity } from './activity-parents.queries.ts'
import { emitActivitiesChanged, getActivityParent } from './activity-parents.service.ts'
import { applyOutcomeToLead, recalculateLead } from './lead-effects.service.ts'

type ActivityTarget = { timeline: TimelineRef; activityId: string; expectedVersion?: number }

export async function updateActivity(
  tx: TenantTx,
  actor: UserActor,
  target: ActivityTarget,
  changes: ActivityChanges,
  { clock }: Pick<Services, 'clock'>,
): Promise<Activity> {
  const now = clock.now()
  const { parent, activity, lead } = await lockEditableActivity(tx, actor, target, changes)
  const changed = changedActivityFields(activity, changes, now)
  if (!Object.keys(changed).length) return await toActivityDetails(tx, activity)
  await assertAssignable(tx, changed.assignee_id, '/assignee_id')

  const updated = await updateActivityRow(tx, activity.id, changed)
  await recordAudit(tx, 'activity.updated', {
    id: activity.id,
    label: labelOf(updated),
    before: activity,
    after: updated,
  })
  await emitActivitiesChanged(tx, target.timeline.kind, parent, activity)
  if (lead && updated.outcome !== activity.outcome) await applyOutcomeToLead(tx, lead, updated, now)
  return await toActivityDetails(tx, updated)
}

export async function deleteActivity(
  tx: TenantTx,
  actor: UserActor,
  target: ActivityTarget,
  { clock }: Pick<Services, 'clock'>,
): Promise<void> {
  const { parent, activity, lead } = await lockEditableActivity(tx, actor, target)
  await deleteActivityRow(tx, activity.id)
  await recordAudit(tx, 'activity.deleted', { id: activity.id, label: labelOf(activity), before: activity })
  await emitActivitiesChanged(tx, target.timeline.kind, parent, activity)
  await recalculateLastActivity(tx, activity)
  if (lead) await recalculateLead(tx, lead, { cause: 'activity', now: clock.now() })
}

/** Checks that the activity is in the timeline and that the user may change it. Lock order: lead, other parents, activity. */
async function lockEditableActivity(
  tx: TenantTx,
  actor: UserActor,
  { timeline, activityId, expectedVersion }: ActivityTarget,
  changes?: ActivityChanges,
) {
  const parent = await getActivityParent(tx, timeline.kind, timeline.id)
  const existing = await findActivity(tx, activityId)
  if (!existing || !(await isInTimeline(tx, existing, timeline))) throw notFound('activity')
  assertEditable(existing)
  assertMayChange(actor, existing, changes)
  const lead = existing.lead_id === null ? undefined : await lockLeadUnlessDeleted(tx, existing.lead_id)
  await lockActivityParents(tx, existing)
  const activity = await lockActivity(tx, activityId)
  if (!activity) throw notFound('activity')
  assertMayChange(actor, activity, changes)
  assertVersion(activity, expectedVersion)
  return { parent, activity, lead }
}

const completionFields = ['completed_at', 'outcome', 'body']

function assertMayChange(
  { role, userId }: UserActor,
  { type, actor_user_id, assignee_id }: ActivityRow,
  changes?: ActivityChanges,
): void {
  if (isManagerOrAdmin(role) || actor_user_id === userId) return
  const isCompletion = changes && Object.keys(changes).every((field) => completionFields.includes(field))
  if (type === 'task' && assignee_id === userId && isCompletion) return
  throw roleRequired(
    'Only managers and the user who logged the activity can change it. The assignee of a task can change only `completed_at`, `outcome` and `body`.',
  )
}

async function isInTimeline(tx: TenantTx, activity: ActivityRow, { kind, id }: TimelineRef): Promise<boolean> {
  if (activity[`${kind}_id`] === id) return true
  return kind === 'contact' && activity.lead_id !== null && (await listSourceLeadIds(tx, id)).includes(activity.lead_id)
}

/** The lead of an activity in a contact's timeline may be deleted. */
async function lockLeadUnlessDeleted(tx: TenantTx, leadId: string): Promise<LeadRow | undefined> {
  const lead = await lockLeadIncludingDeleted(tx, leadId)
  return lead?.deleted_at === null ? lead : undefined
}

function changedActivityFields(
  activity: ActivityRow,
  { due_at, completed_at, ...changes }: ActivityChanges,
  now: Date,
) {
  assertOutcome(activity.type, changes.outcome)
  if (completed_at && activity.type !== 'task')
    throw invalid('body', '/completed_at', 'unexpected', '`completed_at` is only allowed for tasks.')
  const after: Partial<ActivityRow> = {
    ...changes,
    ...(due_at !== undefined && { due_at: due_at === null ? null : new Date(due_at) }),
    ...(completed_at !== undefined && {
      completed_at: completed_at === null ? null : parsePastInstant(completed_at, '/completed_at', now),
    }),
  }
  const before: Record<string, unknown> = activity
  const changed = Object.entries(after).filter(([field, value]) => !isDeepStrictEqual(before[field], value))
  return Object.fromEntries(changed) as Partial<Pick<ActivityRow, keyof ActivityChanges>>
}

const labelOf = ({ subject, type }: ActivityRow): string => subject ?? type
