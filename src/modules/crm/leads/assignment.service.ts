import { activeUsersAmong } from '#modules/identity'
import { record } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { emit } from '#platform/outbox'
import { noteSystemActivity } from '../activities/system-activities.queries.ts'
import { leadAssigned } from '../crm.events.ts'
import type { CrmSettings } from '../settings/crm-settings.schemas.ts'
import { leastAssigned, leastOpen, lockTurns, noteAssignment } from './assignment.queries.ts'
import { changeLeadFields, type LeadRow } from './leads.queries.ts'

const countedDays = 30

/** Whose turn it is, or nobody when leads are not given out or nobody can take them. */
export async function pickOwner(
  tx: TenantTx,
  { mode, owner_ids }: CrmSettings['assignment'],
  now: Date,
): Promise<string | null> {
  if (mode === 'none') return null
  const eligible = [...(await activeUsersAmong(tx, owner_ids))].sort()
  if (!eligible.length) return null
  await lockTurns(tx, eligible)
  const picked =
    mode === 'least_open'
      ? await leastOpen(tx, eligible)
      : await leastAssigned(tx, eligible, daysLater(now, -countedDays))
  return picked ?? null
}

/** Work can be given to active users only. */
export async function assertAssignable(tx: TenantTx, ownerId: string | null | undefined, path = '/owner_id') {
  if (ownerId && !(await activeUsersAmong(tx, [ownerId])).has(ownerId)) throw unknownReference(path, 'active user')
}

export const ownerFields = (ownerId: string | null, now: Date) => ({
  owner_id: ownerId,
  assigned_at: ownerId === null ? null : now,
})

export async function announceOwner(tx: TenantTx, from: string | null, lead: LeadRow, now: Date): Promise<void> {
  const to = lead.owner_id
  if (to !== null) await noteAssignment(tx, lead.id, to, now)
  await noteSystemActivity(tx, { lead_id: lead.id }, { type: 'owner_changed', meta: { from, to }, at: now })
  await emit(tx, leadAssigned, lead, { from, to })
}

/** Gives a lead to somebody else, or to nobody. Whether they can take it is for the caller to know. */
export async function assignLead(tx: TenantTx, lead: LeadRow, ownerId: string | null, now: Date): Promise<LeadRow> {
  if (lead.owner_id === ownerId) return lead
  const changed = await changeLeadFields(tx, lead.id, ownerFields(ownerId, now))
  await record(tx, 'lead.assigned', { id: lead.id, label: lead.name, before: lead, after: changed })
  await announceOwner(tx, lead.owner_id, changed, now)
  return changed
}
