import type { Actor } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { versionMismatch } from '#platform/errors'
import { emit } from '#platform/outbox'
import { realChanges } from '../changes/real-changes.rules.ts'
import { contactUpdated } from '../crm.events.ts'
import { assertAssignable } from '../leads/assignment.service.ts'
import { assertKnownPlace } from '../leads/lead-values.ts'
import { noteProvenance, type Provenance, provenanceOf } from '../persons/provenance.queries.ts'
import { callStatusFor, emailStatusFor } from '../persons/suppressions.service.ts'
import { storeTags } from '../persons/tags.queries.ts'
import { assertAddressIsFree, type ContactServices, nameOfAccount } from './add-contact.service.ts'
import { assertStageStep, stageColumns } from './contact-stage.rules.ts'
import { announceStage } from './contact-stage.service.ts'
import { assertSomebody, derivedFrom, labelOf } from './contact-values.ts'
import { type ContactRow, changeContactFields, getContact, lockContact } from './contacts.queries.ts'
import type { ContactChanges } from './contacts.schemas.ts'

export type ContactChange = { changes: ContactChanges; expectedVersion?: number; provenance?: Provenance }

/** One change, one version. What others hold is taken first: the address, the account, then the contact. */
export async function changeContact(
  tx: TenantTx,
  actor: Actor,
  contactId: string,
  { changes, expectedVersion, provenance = provenanceOf(actor) }: ContactChange,
  services: ContactServices,
): Promise<ContactRow> {
  // Whether there is such a contact comes ahead of what else may be wrong.
  if (changes.email || changes.account_id) await getContact(tx, contactId)
  if (changes.email) await assertAddressIsFree(tx, changes.email, contactId)
  const account_name = await nameOfAccount(tx, changes.account_id)
  const contact = await lockContact(tx, contactId)
  if (expectedVersion !== undefined && expectedVersion !== contact.version) throw versionMismatch()
  // A reason alone changes nothing.
  const { stage_reason: reason, ...wanted } = changes
  const asked = realChanges(contact, wanted)
  const fields = Object.keys(asked)
  if (!fields.length) return contact
  assertSomebody({ ...contact, ...asked })
  assertKnownPlace(asked)
  if (asked.lifecycle_stage) assertStageStep(contact.lifecycle_stage, asked.lifecycle_stage, reason)
  await assertAssignable(tx, asked.owner_id)

  const now = services.clock.now()
  const accountFields = asked.account_id === undefined ? {} : { account_name }
  const columns = await columnsOf(tx, contact, { ...asked, ...accountFields }, services)
  const changed = await changeContactFields(tx, contactId, columns)
  if (asked.tags) await storeTags(tx, 'contact', contactId, asked.tags)
  await noteProvenance(tx, 'contact', contactId, fields, { source: provenance, at: now })
  await record(tx, 'contact.updated', {
    id: contactId,
    label: labelOf(changed),
    before: contact,
    after: changed,
    reason,
  })
  await emit(tx, contactUpdated, changed, { changed: fields })
  if (asked.lifecycle_stage) await announceStage(tx, contact, changed, { reason, cause: 'user', now })
  return changed
}

type Asked = Omit<ContactChanges, 'stage_reason'> & { account_name?: string | null }

async function columnsOf(tx: TenantTx, contact: ContactRow, asked: Asked, services: ContactServices) {
  const { lifecycle_stage, custom, ...said } = asked
  const derived = derivedFrom({ ...contact, ...said })
  const isOtherAddress = said.email !== undefined && said.email?.toLowerCase() !== contact.email_key
  return {
    ...said,
    ...derived,
    ...(lifecycle_stage && stageColumns(contact, lifecycle_stage, services.clock.now())),
    ...(custom && { custom: JSON.stringify(custom) }),
    // Another address is another history: what bounced was the old one.
    ...(isOtherAddress && { email_status: await emailStatusFor(tx, services, said.email ?? null) }),
    ...(derived.phone_e164 !== contact.phone_e164 && {
      call_status: await callStatusFor(tx, services, derived.phone_e164),
    }),
  }
}
