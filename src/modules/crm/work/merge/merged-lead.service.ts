import type { TenantTx } from '#platform/db'
import { lockAssignmentState } from '../../people/assignment/assignment.queries.ts'
import { type LeadRow, updateLeadRow } from '../../people/lead-records/leads.queries.ts'
import { deriveLeadColumns } from '../../people/lead-records/leads.rules.ts'
import { deleteCustomValues, storeCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import { replaceTags } from '../../records/fields/tags.queries.ts'

type MergeMark = { into: string; by: string; now: Date }

export async function markLeadsAsMerged(
  tx: TenantTx,
  leads: readonly LeadRow[],
  { into, by, now }: MergeMark,
): Promise<void> {
  await deleteCustomValues(
    tx,
    leads.map(({ id }) => id),
  )
  for (const { id } of leads) {
    await updateLeadRow(tx, id, { merged_into_id: into, deleted_at: now, deleted_by: by })
    await replaceTags(tx, 'lead', id, [])
  }
}

export async function lockNextOwner(tx: TenantTx, { owner_id }: LeadRow, nextOwnerId: string | null | undefined) {
  if (nextOwnerId && nextOwnerId !== owner_id) await lockAssignmentState(tx, [nextOwnerId])
}

export async function updateMergedLead(tx: TenantTx, lead: LeadRow, values: Partial<LeadRow>): Promise<LeadRow> {
  const { utm, custom, ...columns } = values
  const updated = await updateLeadRow(tx, lead.id, {
    ...columns,
    ...deriveLeadColumns({ ...lead, ...columns }),
    ...(utm !== undefined && { utm: utm === null ? null : JSON.stringify(utm) }),
    ...(custom !== undefined && { custom: JSON.stringify(custom) }),
  })
  if (custom !== undefined) await storeCustomValues(tx, 'lead', updated)
  await replaceTags(tx, 'lead', lead.id, updated.tags)
  return updated
}
