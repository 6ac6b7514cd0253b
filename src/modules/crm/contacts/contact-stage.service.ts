import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { noteSystemActivity } from '../activities/system-activities.queries.ts'
import { contactStageChanged } from '../crm.events.ts'
import { noteStage } from '../persons/life-cycle.queries.ts'
import { isBackward, type Stage } from '../persons/life-cycle.rules.ts'
import { isStepUp, stageColumns } from './contact-stage.rules.ts'
import { labelOf } from './contact-values.ts'
import { type ContactRow, changeContactFields } from './contacts.queries.ts'

/** `cause` says who moved it: `user`, `deal`, `account`, `convert`, `merge`. */
export type StageStep = { reason?: string | null; cause: string; now: Date }

/** Tells everybody what a step was, once it is written. */
export async function announceStage(
  tx: TenantTx,
  before: ContactRow,
  after: ContactRow,
  step: StageStep,
): Promise<void> {
  const { reason = null, cause, now } = step
  const [from, to] = [before.lifecycle_stage, after.lifecycle_stage]
  const backward = isBackward(from, to) || to === 'former_customer'
  await noteStage(tx, { contact_id: after.id, from, to, reason, now })
  const meta = { from, to, cause, reason }
  await noteSystemActivity(tx, { contact_id: after.id }, { type: 'stage_changed', meta, at: now })
  await emit(tx, contactStageChanged, after, { from, to, cause, backward })
}

/** Whether the step is allowed is for the caller to know. The same stage again changes nothing. */
export async function setContactStage(
  tx: TenantTx,
  contact: ContactRow,
  to: Stage,
  step: StageStep,
): Promise<ContactRow> {
  if (contact.lifecycle_stage === to) return contact
  const changed = await changeContactFields(tx, contact.id, stageColumns(contact, to, step.now))
  const entry = { id: contact.id, label: labelOf(contact), before: contact, after: changed, reason: step.reason }
  await record(tx, 'contact.stage_changed', entry)
  await announceStage(tx, contact, changed, step)
  return changed
}

/** For what happens by itself, such as a deal: it never leads anybody back. */
export const raiseContactStage = async (
  tx: TenantTx,
  contact: ContactRow,
  to: Stage,
  step: StageStep,
): Promise<ContactRow> =>
  isStepUp(contact.lifecycle_stage, to) ? await setContactStage(tx, contact, to, step) : contact
