import { canAccess, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { assertVersion, roleRequired } from '#platform/errors'
import { leadDeleted, leadRestored } from '../../crm.events.ts'
import {
  type DeleteRecordOptions,
  recordDeletions,
  recordRestorations,
  type SoftDelete,
  softDelete,
  toDeletionColumns,
} from '../../records/removal/soft-delete.service.ts'
import type { ChangedLead } from '../lead-records/lead-stage.service.ts'
import { type LeadRow, lockLead, updateLeadRow, updateLeadRows } from '../lead-records/leads.queries.ts'

const leadDeletion: SoftDelete<LeadRow> = {
  type: 'lead',
  updateRow: updateLeadRow,
  labelOf: ({ name }) => name,
  deletedEvent: leadDeleted,
  restoredEvent: leadRestored,
}

export async function deleteLead(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { expectedVersion, now }: DeleteRecordOptions,
) {
  const lead = await lockLead(tx, id)
  assertVersion(lead, expectedVersion)
  assertMayDeleteLead(actor, lead)
  await softDelete(tx, actor, lead, leadDeletion, now)
}

export function assertMayDeleteLead(actor: UserActor, lead: LeadRow): void {
  if (!canAccess(actor, 'leads.delete', lead))
    throw roleRequired('Only managers and the owner of the lead may delete it.')
}

export async function deleteLeadsOf(
  tx: TenantTx,
  actor: UserActor,
  leads: readonly LeadRow[],
  now: Date,
): Promise<void> {
  const ids = leads.map(({ id }) => id)
  const deleted = new Map((await updateLeadRows(tx, ids, toDeletionColumns(actor, now))).map((lead) => [lead.id, lead]))
  await recordLeadDeletions(
    tx,
    leads.map((before) => ({ before, after: deleted.get(before.id)! })),
  )
}

export const recordLeadDeletions = (tx: TenantTx, changes: readonly ChangedLead[]): Promise<void> =>
  recordDeletions(tx, changes, leadDeletion)

export const recordLeadRestorations = (tx: TenantTx, changes: readonly ChangedLead[]): Promise<void> =>
  recordRestorations(tx, changes, leadDeletion)
