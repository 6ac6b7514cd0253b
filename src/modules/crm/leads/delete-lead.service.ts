import { canAccess, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { assertVersion, roleRequired } from '#platform/errors'
import { leadDeleted, leadRestored } from '../crm.events.ts'
import { assertEmailIsUnused, mustLeadEmailsBeUnique } from '../lead-records/lead-email.service.ts'
import {
  findLeadIncludingDeleted,
  type LeadRow,
  lockLead,
  lockLeadEmail,
  lockLeadIncludingDeleted,
  updateLeadRow,
} from '../lead-records/leads.queries.ts'
import { assertRecordRestorable } from '../records/restorable.rules.ts'
import {
  type DeleteRecordOptions,
  restoreDeleted,
  type SoftDelete,
  softDelete,
} from '../records/soft-delete.service.ts'
import { rescoreLead } from '../scoring/rescore-leads.service.ts'

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
  if (!canAccess(actor, 'leads.delete', lead))
    throw roleRequired('Only managers and the owner of the lead may delete it.')
  await softDelete(tx, actor, lead, leadDeletion, now)
}

export async function restoreLead(tx: TenantTx, actor: UserActor, id: string, now: Date): Promise<LeadRow> {
  const uniqueEmails = await mustLeadEmailsBeUnique(tx)
  const { email_key } = (uniqueEmails && (await findLeadIncludingDeleted(tx, id))) || {}
  if (email_key) await lockLeadEmail(tx, email_key)
  const lead = assertRecordRestorable(actor, await lockLeadIncludingDeleted(tx, id), 'lead', now)
  if (lead.email && uniqueEmails) await assertEmailIsUnused(tx, lead.email)

  await restoreDeleted(tx, lead, leadDeletion)
  // The scoring rules may have changed while the lead was deleted.
  return await rescoreLead(tx, id, { cause: 'restored', now })
}
