import type { Actor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion } from '#platform/errors'
import { emit } from '#platform/outbox'
import { moveConsent } from '../consent/inherit-consent.service.ts'
import { contactUpdated } from '../crm.events.ts'
import { checkCustomChanges } from '../custom-values/check-custom-values.service.ts'
import { storeCustomValues } from '../custom-values/store-custom-values.service.ts'
import { withStageReason } from '../persons/lifecycle.rules.ts'
import { changedRecordFields } from '../records/changed-fields.rules.ts'
import { assertAssignable } from '../records/owners.service.ts'
import { assertValidCountryAndTimezone } from '../records/place.rules.ts'
import { type FieldSource, type Provenance, provenanceOf, recordProvenance } from '../records/provenance.queries.ts'
import { replaceTags } from '../records/tags.queries.ts'
import { assertContactStageChange, toContactStageColumns } from './contact-stage.rules.ts'
import { recordContactStageChange } from './contact-stage.service.ts'
import { assertContactIdentifiable, contactLabel, deriveContactColumns } from './contact-values.ts'
import { type ContactRow, getContact, lockContact, updateContactRow } from './contacts.queries.ts'
import type { ContactChanges } from './contacts.schemas.ts'
import { assertContactEmailUnused, type ContactServices, lockAccountName } from './create-contact.service.ts'

type ContactUpdate = {
  changes: ContactChanges
  expectedVersion?: number
  provenance?: Provenance
  enrichedFrom?: readonly FieldSource[]
}

/** Writes all changes in one update (one new version). Lock order: email, account, contact. */
export async function updateContact(
  tx: TenantTx,
  actor: Actor,
  contactId: string,
  { changes, expectedVersion, provenance: source = provenanceOf(actor), enrichedFrom }: ContactUpdate,
  services: ContactServices,
): Promise<ContactRow> {
  // Return 404 before any validation error.
  if (changes.email || changes.account_id) await getContact(tx, contactId)
  if (changes.email) await assertContactEmailUnused(tx, changes.email, contactId)
  const account_name = await lockAccountName(tx, changes.account_id)
  const contact = await lockContact(tx, contactId)
  assertVersion(contact, expectedVersion)
  // `stage_reason` alone is not a change.
  const { stage_reason: reason, ...requested } = changes
  const now = services.clock.now()
  const custom = requested.custom && (await checkCustomChanges(tx, 'contact', requested.custom, now))
  const changed = changedRecordFields(contact, { ...requested, ...(custom && { custom }) })
  const fields = Object.keys(changed)
  if (!fields.length) return contact
  assertContactIdentifiable({ ...contact, ...changed })
  assertValidCountryAndTimezone(changed)
  if (changed.lifecycle_stage) assertContactStageChange(contact.lifecycle_stage, changed.lifecycle_stage, reason)
  await assertAssignable(tx, changed.owner_id)

  const accountFields = changed.account_id === undefined ? {} : { account_name }
  const columns = await toColumns(tx, contact, { ...changed, ...accountFields }, services)
  const updated = await updateContactRow(tx, contactId, columns)
  if (changed.custom) await storeCustomValues(tx, 'contact', updated)
  if (changed.tags) await replaceTags(tx, 'contact', contactId, changed.tags)
  await recordProvenance(tx, 'contact', contactId, fields, { source, at: now, enrichedFrom })
  await recordAudit(tx, 'contact.updated', {
    id: contactId,
    label: contactLabel(updated),
    before: contact,
    after: withStageReason(updated, reason),
  })
  await emit(tx, contactUpdated, updated, { changed: fields })
  if (changed.lifecycle_stage) await recordContactStageChange(tx, contact, updated, { reason, cause: 'user', now })
  return updated
}

type ContactFieldChanges = Omit<ContactChanges, 'stage_reason'> & { account_name?: string | null }

async function toColumns(tx: TenantTx, contact: ContactRow, changed: ContactFieldChanges, services: ContactServices) {
  const { lifecycle_stage, custom, ...columns } = changed
  const derived = deriveContactColumns({ ...contact, ...columns })
  const record = { ...contact, ref: { kind: 'contact' as const, id: contact.id } }
  return {
    ...columns,
    ...derived,
    ...(lifecycle_stage && toContactStageColumns(contact, lifecycle_stage, services.clock.now())),
    ...(custom && { custom: JSON.stringify(custom) }),
    ...(await moveConsent(tx, services, record, { email: columns.email, phone_e164: derived.phone_e164 })),
  }
}
