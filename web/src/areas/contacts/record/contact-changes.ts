import { readField, toRequest } from '../../../patterns/record/fields/field-changes.ts'
import { type SaveFields, useSaveFields } from '../../../patterns/record/use-save-fields.ts'
import {
  type Contact,
  type ContactChanges,
  type ContactRow,
  loadContact,
  storeContact,
  updateContact,
} from '../contact-queries.ts'

/** A row of the list, or the whole record once it is loaded. */
export type ShownContact = ContactRow & Partial<Contact>

export const useContactChanges = (contact: ShownContact): SaveFields =>
  useSaveFields<ShownContact>({
    record: contact,
    update: (current, changes) => updateContact(current, toRequest(changes) as ContactChanges),
    load: () => loadContact(contact.id),
    store: (saved) => storeContact(saved as Contact),
    readValue: (record, field) => (field === 'account_id' ? (record.account?.id ?? null) : readField(record, field)),
  })
