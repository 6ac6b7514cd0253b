import { filterActiveUserIds } from '#modules/identity'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { leadAssigned } from '../crm.events.ts'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import type { CrmSettings } from '../settings/crm-settings.schemas.ts'
import { insertSystemActivities } from '../timeline/system-activities.queries.ts'
import {
  findLeastAssignedUser,
  findUserWithFewestOpenLeads,
  lockAssignmentState,
  recordAssignments,
} from './assignment.queries.ts'

/** Round-robin compares how many leads each user got in this many days. */
export const assignmentWindowDays = 30

/** Picks the owner of a new lead, or null if automatic assignment is off or none of the users is active. */
export async function pickOwner(
  tx: TenantTx,
  { mode, owner_ids }: CrmSettings['assignment'],
  now: Date,
): Promise<string | null> {
  if (mode === 'none') return null
  const eligible = [...(await filterActiveUserIds(tx, owner_ids))].sort()
  if (!eligible.length) return null
  await lockAssignmentState(tx, eligible)
  const picked =
    mode === 'least_open'
      ? await findUserWithFewestOpenLeads(tx, eligible)
      : await findLeastAssignedUser(tx, eligible, daysLater(now, -assignmentWindowDays))
  return picked ?? null
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
  await recordAssignments(tx, assignments, now)
  const events = changes.map(({ from, lead }) => ({ subject: lead, data: { from, to: lead.owner_id } }))
  const activities = events.map(({ subject, data }) => ({
    parent: { lead_id: subject.id },
    activity: { type: 'owner_changed', meta: data, at: now },
  }))
  await insertSystemActivities(tx, activities)
  await emitMany(tx, leadAssigned, events)
}

export const emitOwnerChange = (tx: TenantTx, from: string | null, lead: LeadRow, now: Date): Promise<void> =>
  emitOwnerChanges(tx, [{ from, lead }], now)
