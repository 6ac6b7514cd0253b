import { canAccess, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { assertVersion, roleRequired } from '#platform/errors'
import type { RecordConsent } from '../consent/consent.rules.ts'
import { findRecordConsent } from '../consent/find-consent.service.ts'
import { leadDeleted, leadRestored } from '../crm.events.ts'
import { assertEmailIsUnused, mustLeadEmailsBeUnique } from '../lead-records/lead-email.service.ts'
import type { ChangedLead } from '../lead-records/lead-stage.service.ts'
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
  recordDeletions,
  restoreDeleted,
  type SoftDelete,
  softDelete,
} from '../records/soft-delete.service.ts'
import { rescoreLead } from '../scoring/rescore-leads.service.ts'
import { lockScoringConfigShared } from '../scoring/scoring-config.queries.ts'
import { resumeSlaCheck } from '../sla/sla.jobs.ts'
import type { LeadServices } from './create-leads.service.ts'

const leadDeletion: SoftDelete<LeadRow, RecordConsent> = {
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

export const recordLeadDeletions = (tx: TenantTx, changes: readonly ChangedLead[]): Promise<void> =>
  recordDeletions(tx, changes, leadDeletion)

export async function restoreLead(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  services: LeadServices,
): Promise<LeadRow> {
  const now = services.clock.now()
  await lockScoringConfigShared(tx)
  const uniqueEmails = await mustLeadEmailsBeUnique(tx)
  const { email_key } = (uniqueEmails && (await findLeadIncludingDeleted(tx, id))) || {}
  if (email_key) await lockLeadEmail(tx, email_key)
  const lead = assertRecordRestorable(actor, await lockLeadIncludingDeleted(tx, id), 'lead', now)
  if (lead.email && uniqueEmails) await assertEmailIsUnused(tx, lead.email)

  const { email, phone_e164, deleted_at } = lead
  const consent = await findRecordConsent(tx, services, { email, phone_e164, record: lead, since: deleted_at! })
  const restored = await restoreDeleted(tx, lead, leadDeletion, consent)
  await resumeSlaCheck(tx, restored)
  // The scoring rules may have changed while the lead was deleted.
  return await rescoreLead(tx, id, { cause: 'restored', now })
}
