import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { leadAssigned } from '../../crm.events.ts'
import { insertSystemActivities } from '../../records/timeline/system-activities.queries.ts'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import { advanceAssignmentCounters, insertAssignments, lockAssignmentState } from './assignment.queries.ts'

/** Round-robin compares how many leads each user got in this many days. */
const assignmentWindowDays = 30

/** Locks the users against concurrent assignments, with the current number of leads each got in the last 30 days. */
export async function lockAssignmentCounters(tx: TenantTx, userIds: readonly string[], now: Date): Promise<void> {
  await lockAssignmentState(tx, userIds)
  await advanceAssignmentCounters(tx, userIds, daysLater(now, -assignmentWindowDays))
}

export const toOwnerColumns = (ownerId: string | null, now: Date) => ({
  owner_id: ownerId,
  assigned_at: ownerId === null ? null : now,
})

type OwnerChange = { from: string | null; lead: LeadRow }

export async function emitOwnerChanges(tx: TenantTx, changes: readonly OwnerChange[], now: Date): Promise<void> {
  const assignments = changes.flatMap(({ lead: { id, owner_id } }) =>
    owner_id === null ? [] : [{ lead_id: id, user_id: owner_id }],
  )
  const events = changes.map(({ from, lead }) => ({ subject: lead, data: { from, to: lead.owner_id } }))
  const activities = events.map(({ subject, data }) => ({
    parent: { lead_id: subject.id },
    activity: { type: 'owner_changed', meta: data, at: now },
  }))
  await Promise.all([
    insertAssignments(tx, assignments, now),
    insertSystemActivities(tx, activities),
    emitMany(tx, leadAssigned, events),
  ])
}

export const emitOwnerChange = (tx: TenantTx, from: string | null, lead: LeadRow, now: Date): Promise<void> =>
  emitOwnerChanges(tx, [{ from, lead }], now)
