import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { contactCreated } from '../../crm.events.ts'
import { indexCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import { type Provenance, recordProvenances } from '../../records/fields/provenance.queries.ts'
import { nonEmptyFields } from '../../records/fields/record.rules.ts'
import { insertTags } from '../../records/fields/tags.queries.ts'
import { insertLifecycleEvents } from '../../records/person-keys/lifecycle.queries.ts'
import { contactLabel } from './contact-values.ts'
import type { ContactRow } from './contacts.queries.ts'
import type { NewContact } from './contacts.schemas.ts'

type CreatedContact = { contact: ContactRow; input: NewContact }

export async function recordCreatedContacts(
  tx: TenantTx,
  created: readonly CreatedContact[],
  { provenance, now }: { provenance: Provenance; now: Date },
): Promise<void> {
  if (!created.length) return
  const contacts = created.map(({ contact }) => contact)
  await Promise.all([
    indexCustomValues(tx, 'contact', contacts),
    insertTags(tx, 'contact', contacts),
    recordProvenances(
      tx,
      'contact',
      created.map(({ contact, input }) => ({ id: contact.id, fields: nonEmptyFields(input) })),
      { source: provenance, at: now },
    ),
    insertLifecycleEvents(
      tx,
      contacts.map(({ id, lifecycle_stage }) => ({ contact_id: id, from: null, to: lifecycle_stage })),
      now,
    ),
    recordAuditEntries(
      tx,
      'contact.created',
      contacts.map((contact) => ({ id: contact.id, label: contactLabel(contact), after: contact })),
    ),
    emitMany(
      tx,
      contactCreated,
      contacts.map((contact) => ({
        subject: contact,
        data: { account_id: contact.account_id, lead_id: contact.lead_id },
      })),
    ),
  ])
}
