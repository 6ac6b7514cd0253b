import { filterActiveUserIds } from '#modules/identity'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { leadAssigned } from '../../crm.events.ts'
import type { CrmSettings } from '../../records/settings/crm-settings.schemas.ts'
import { insertSystemActivities } from '../../records/system-activities/system-activities.queries.ts'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import {
  advanceAssignmentCounters,
  insertAssignments,
  listAssignmentLoads,
  lockAssignmentState,
} from './assignment.queries.ts'
import { foldOpenLeadCounts, listOpenLeadLoads } from './open-leads.queries.ts'
import { createRotation, type Rotation } from './rotation.rules.ts'

const maxCountRows = 500

/** `owner_id` is undefined if the owner is picked, and null if the lead stays without one. */
type NewLeadOwner = { owner_id?: string | null; status?: string }

/** Returns the owners of new leads in their order, null if automatic assignment is off or none of the users is active. */
export async function pickOwners(
  tx: TenantTx,
  assignment: CrmSettings['assignment'],
  leads: readonly NewLeadOwner[],
  now: Date,
): Promise<(string | null)[]> {
  const isOpenCounted = assignment.mode === 'least_open'
  const rotation = createRotation(await lockLoads(tx, assignment, leads, now), now)
  return leads.map(({ owner_id, status }) => {
    const owner = owner_id === undefined ? rotation.nextUserId() : owner_id
    if (owner) rotation.countAssignment(owner, isOpenCounted && status === 'unqualified' ? 0 : 1)
    return owner
  })
}

async function lockLoads(
  tx: TenantTx,
  { mode, owner_ids }: CrmSettings['assignment'],
  leads: readonly NewLeadOwner[],
  now: Date,
) {
  const given = [...new Set(leads.flatMap(({ owner_id }) => owner_id ?? []))]
  const isPicked = mode !== 'none' && leads.some(({ owner_id }) => owner_id === undefined)
  const eligible = isPicked ? [...(await filterActiveUserIds(tx, owner_ids))].sort() : []
  // The assignments lock the given owners too, and all users are locked in ascending order, before the consent.
  if (given.length) await lockAssignmentState(tx, [...new Set([...eligible, ...given])].sort())
  if (!eligible.length) return []
  if (mode === 'least_open') return await readOpenLeadLoads(tx, eligible)
  await lockAssignmentCounters(tx, eligible, now)
  return await listAssignmentLoads(tx, eligible)
}

async function readOpenLeadLoads(tx: TenantTx, userIds: readonly string[]) {
  await lockAssignmentState(tx, userIds)
  const loads = await listOpenLeadLoads(tx, userIds)
  const countRows = loads.reduce((total, { rows }) => total + rows, 0)
  if (countRows > userIds.length + maxCountRows) await foldOpenLeadCounts(tx, userIds)
  return loads
}

/** Starts a round-robin over the active users; the lock serializes concurrent assignments. */
export async function startRoundRobin(tx: TenantTx, userIds: readonly string[], now: Date): Promise<Rotation> {
  const eligible = [...(await filterActiveUserIds(tx, userIds))].sort()
  if (!eligible.length) return createRotation([], now)
  await lockAssignmentCounters(tx, eligible, now)
  return createRotation(await listAssignmentLoads(tx, eligible), now)
}

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
