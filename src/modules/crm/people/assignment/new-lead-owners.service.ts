import { filterActiveUserIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { CrmSettings } from '../../records/settings/crm-settings.schemas.ts'
import { listAssignmentLoads, lockAssignmentState } from './assignment.queries.ts'
import { lockAssignmentCounters } from './assignment.service.ts'
import { foldOpenLeadCounts, listOpenLeadLoads } from './open-leads.queries.ts'
import { createRotation } from './rotation.rules.ts'

const maxCountRows = 500

/** `owner_id` is undefined if the owner is picked, and null if the lead stays without one. */
export type NewLeadOwner = { owner_id?: string | null; status?: string }

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
