import { findActiveManagers, listInactiveUserIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { RecordReference } from '#platform/module'
import { emitOwnerChanges, toOwnerColumns } from '../people/assignment/assignment.service.ts'
import { lockLeads } from '../people/lead-records/leads.queries.ts'
import { updateLeads } from '../people/lead-records/update-leads.service.ts'
import { getScoringConfig, rescoreLeads } from '../people/scoring/rescore-leads.service.ts'
import { listRecordsOfOwners, replaceOwners } from './inactive-owners.queries.ts'
import { listStaleGrades, restoreContactLinks } from './lead-integrity.queries.ts'

export async function findRecordsOfInactiveOwners(tx: TenantTx, limit: number): Promise<RecordReference[]> {
  const inactive = await listInactiveUserIds(tx)
  return inactive.length ? await listRecordsOfOwners(tx, inactive, limit) : []
}

export async function assignToManagers(tx: TenantTx, found: readonly RecordReference[], now: Date): Promise<number> {
  const managers = await findActiveManagers(tx, await listInactiveUserIds(tx))
  if (!managers.size) return 0
  const idsOf = (type: string) => found.filter(({ resource_type }) => resource_type === type).map(({ id }) => id)
  const leads = await assignLeads(tx, idsOf('lead'), managers, now)
  const opportunities = await replaceOwners(tx, 'opportunity', idsOf('opportunity'), managers)
  return leads + opportunities + (await replaceOwners(tx, 'account', idsOf('account'), managers))
}

async function assignLeads(
  tx: TenantTx,
  ids: readonly string[],
  managers: ReadonlyMap<string, string>,
  now: Date,
): Promise<number> {
  const leads = (await lockLeads(tx, ids)).filter(({ owner_id }) => owner_id !== null && managers.has(owner_id))
  if (!leads.length) return 0
  const updates = leads.map(({ id, owner_id }) => ({ id, columns: toOwnerColumns(managers.get(owner_id!)!, now) }))
  const updated = await updateLeads(tx, updates)
  const changes = leads.map(({ id, owner_id }) => ({ from: owner_id, lead: updated.get(id)! }))
  await emitOwnerChanges(tx, changes, now)
  return leads.length
}

export async function findStaleGrades(tx: TenantTx, limit: number): Promise<string[]> {
  const { grade_thresholds } = await getScoringConfig(tx)
  return await listStaleGrades(tx, grade_thresholds, limit)
}

export async function repairScores(tx: TenantTx, leadIds: readonly string[], now: Date): Promise<number> {
  const leads = await lockLeads(tx, leadIds)
  const rescored = await rescoreLeads(tx, leads, { cause: 'integrity', now })
  return rescored.filter((lead, index) => lead !== leads[index]).length
}

export async function repairContactLinks(tx: TenantTx, leadIds: readonly string[]): Promise<number> {
  await lockLeads(tx, leadIds)
  return await restoreContactLinks(tx, leadIds)
}
