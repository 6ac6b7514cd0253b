import { definePresenter } from '#platform/module'
import { Contact } from './contacts.schemas.ts'
import { listContactDetails } from './list-contacts.service.ts'

export const contactPresenter = definePresenter({
  subjectType: 'contact',
  schema: Contact,
  list: async (tx, ids) => (await listContactDetails(tx, ids)).map((contact) => [contact.id, contact]),
})
