import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { contactStageChanged } from '../../crm.events.ts'
import { insertLifecycleEvents } from '../../records/person-keys/lifecycle.queries.ts'
import { type ContactStage, isBackward } from '../../records/person-keys/lifecycle.rules.ts'
import { insertSystemActivity } from '../../records/system-activities/system-activities.queries.ts'
import { isStageAdvance, toContactStageColumns } from './contact-stage.rules.ts'
import { contactLabel } from './contact-values.ts'
import { type ContactRow, updateContactRow } from './contacts.queries.ts'

type ContactStageContext = { reason?: string | null; cause: string; now: Date }

export async function recordContactStageChange(
  tx: TenantTx,
  before: ContactRow,
  after: ContactRow,
  context: ContactStageContext,
): Promise<void> {
  const { reason = null, cause, now } = context
  const [from, to] = [before.lifecycle_stage, after.lifecycle_stage]
  const backward = isBackward(from, to) || to === 'former_customer'
  await insertLifecycleEvents(tx, [{ contact_id: after.id, from, to, reason }], now)
  const meta = { from, to, cause, reason }
  await insertSystemActivity(tx, { contact_id: after.id }, { type: 'stage_changed', meta, at: now })
  await emit(tx, contactStageChanged, after, { from, to, cause, backward })
}

export async function setContactStage(
  tx: TenantTx,
  contact: ContactRow,
  to: ContactStage,
  context: ContactStageContext,
): Promise<ContactRow> {
  if (contact.lifecycle_stage === to) return contact
  const updated = await updateContactRow(tx, contact.id, toContactStageColumns(contact, to, context.now))
  const entry = {
    id: contact.id,
    label: contactLabel(contact),
    before: contact,
    after: updated,
    reason: context.reason,
  }
  await recordAudit(tx, 'contact.stage_changed', entry)
  await recordContactStageChange(tx, contact, updated, context)
  return updated
}

export const advanceContactStage = async (
  tx: TenantTx,
  contact: ContactRow,
  to: ContactStage,
  context: ContactStageContext,
): Promise<ContactRow> =>
  isStageAdvance(contact.lifecycle_stage, to) ? await setContactStage(tx, contact, to, context) : contact
