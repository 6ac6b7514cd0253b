import { reaches, type SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { roleRequired, versionMismatch } from '#platform/errors'
import { emit } from '#platform/outbox'
import { leadDeleted, leadRestored } from '../crm.events.ts'
import { assertRestorable } from '../deleted/restorable.rules.ts'
import { rescoreLead } from '../scoring/scoring.service.ts'
import { areAddressesUnique, assertAddressIsFree } from './addresses.service.ts'
import { changeLeadFields, findAnyLead, holdAddress, type LeadRow, lockAnyLead, lockLead } from './leads.queries.ts'

type Deletion = { expectedVersion?: number; now: Date }

export async function deleteLead(tx: TenantTx, actor: SignedIn, id: string, { expectedVersion, now }: Deletion) {
  const lead = await lockLead(tx, id)
  if (expectedVersion !== undefined && expectedVersion !== lead.version) throw versionMismatch()
  if (!reaches(actor, 'leads.delete', lead))
    throw roleRequired('Only managers, and whoever owns the lead, may delete it.')
  const deleted = await changeLeadFields(tx, id, { deleted_at: now, deleted_by: actor.userId })
  await record(tx, 'lead.deleted', { id, label: lead.name, before: lead })
  await emit(tx, leadDeleted, deleted, {})
}

/** Whoever deleted it may take that back, and so may managers, as long as nobody else has its address where that matters. */
export async function restoreLead(tx: TenantTx, actor: SignedIn, id: string, now: Date): Promise<LeadRow> {
  const isUnique = await areAddressesUnique(tx)
  const { email_key } = (isUnique && (await findAnyLead(tx, id))) || {}
  if (email_key) await holdAddress(tx, email_key)
  const lead = assertRestorable(actor, await lockAnyLead(tx, id), 'lead', now)
  if (lead.email && isUnique) await assertAddressIsFree(tx, lead.email)

  const restored = await changeLeadFields(tx, id, { deleted_at: null, deleted_by: null })
  await record(tx, 'lead.restored', { id, label: lead.name, before: lead, after: restored })
  await emit(tx, leadRestored, restored, {})
  // The rules may have changed while it was away.
  return await rescoreLead(tx, id, { cause: 'restored', now })
}
