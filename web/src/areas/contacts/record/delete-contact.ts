import { api, ifMatch, read } from '../../../api/client.ts'
import { deleteRecord } from '../../../patterns/record/delete-record.ts'
import { contactRecordTexts as texts } from '../../../texts/en/contact-record-texts.ts'
import { showToast } from '../../../ui/toast.tsx'
import { nameOfContact } from '../contact-names.ts'
import { type Contact, type ContactRow, refreshContacts, storeContact } from '../contact-queries.ts'

const pathOf = (id: string) => ({ path: { contact_id: id } })

export const deleteContact = (contact: ContactRow): Promise<boolean> =>
  deleteRecord({
    remove: () =>
      read(api.DELETE('/api/contacts/{contact_id}', { params: pathOf(contact.id), headers: ifMatch(contact.version) })),
    restore: () => restoreDeleted(contact.id),
    texts: { deleted: texts.deleted(nameOfContact(contact)), undo: texts.undo },
    refresh: refreshContacts,
  })

export async function restoreDeleted(id: string): Promise<Contact> {
  const contact = await read(api.POST('/api/contacts/{contact_id}/restore', { params: pathOf(id) }))
  storeContact(contact)
  showToast(texts.restored(nameOfContact(contact)))
  await refreshContacts()
  return contact
}
