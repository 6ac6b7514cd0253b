import { activeUsersAmong } from '#modules/identity'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { emit } from '#platform/outbox'
import { noteSystemActivity } from '../activities/system-activities.queries.ts'
import { leadAssigned } from '../crm.events.ts'
import type { CrmSettings } from '../settings/crm-settings.schemas.ts'
import { leastAssigned, leastOpen, lockTurns, noteAssignment } from './assignment.queries.ts'
import type { LeadRow } from './leads.queries.ts'

/** How far back it counts who got how many. */
export const countedDays = 30

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
