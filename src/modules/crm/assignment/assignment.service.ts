import { filterActiveUserIds } from '#modules/identity'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { leadAssigned } from '../crm.events.ts'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import type { CrmSettings } from '../settings/crm-settings.schemas.ts'
import { insertSystemActivities } from '../timeline/system-activities.queries.ts'
import {
  advanceAssignmentCounters,
  findLeastAssignedUser,
  insertAssignments,
  lockAssignmentState,
} from './assignment.queries.ts'
import { findUserWithFewestOpenLeads, foldOpenLeadCounts } from './open-leads.queries.ts'

/** Round-robin compares how many leads each user got in this many days. */
const assignmentWindowDays = 30

const maxCountRows = 500

/** Picks the owner of a new lead, or null if automatic assignment is off or none of the users is active. */
export async function pickOwner(
  tx: TenantTx,
  { mode, owner_ids }: CrmSettings['assignment'],
  now: Date,
): Promise<string | null> {
  if (mode === 'none') return null
  const eligible = [...(await filterActiveUserIds(tx, owner_ids))].sort()
  if (!eligible.length) return null
  if (mode === 'least_open') return await pickUserWithFewestOpenLeads(tx, eligible)
  await lockAssignmentCounters(tx, eligible, now)
  return (await findLeastAssignedUser(tx, eligible)) ?? null
}

async function pickUserWithFewestOpenLeads(tx: TenantTx, userIds: readonly string[]): Promise<string | null> {
  await lockAssignmentState(tx, userIds)
  const fewest = await findUserWithFewestOpenLeads(tx, userIds)
  if (fewest && fewest.rows > userIds.length + maxCountRows) await foldOpenLeadCounts(tx, userIds)
  return fewest?.user_id ?? null
}

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
