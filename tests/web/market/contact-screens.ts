import { unknownId } from '../screen-records.ts'
import type { Screen } from '../screens.ts'

/** Rows of the table of screens for contacts. */
export const contactScreens: readonly Screen[] = [
  {
    name: 'Contacts',
    route: '/contacts',
    request: '**/api/contacts/?*',
    empty: 'No contacts yet',
    filled: 'Northgate Energy',
    requests: 1,
    isOnPhone: true,
  },
  { name: 'Contacts, for a viewer', route: '/contacts', user: 'viewer', filled: 'Northgate Energy', requests: 1 },
  { name: 'Own contacts', route: '/contacts', path: '/contacts?view=mine', empty: 'You own no contacts' },
  {
    name: 'Contacts without a match',
    route: '/contacts',
    path: '/contacts?stage=customer&q=unknown',
    filled: 'No contact matches',
    requests: 1,
  },
  {
    name: 'Contacts of an account',
    route: '/contacts',
    path: ({ account }) => `/contacts?account=${account}`,
    filled: 'Northgate Energy',
    requests: 2,
  },
  {
    name: 'Contact beside the list',
    route: '/contacts',
    path: ({ contacts: [contact] }) => `/contacts?open=${contact}`,
    filled: 'Asked for the price of 40 seats.',
    requests: 4,
    isOnPhone: true,
  },
  {
    name: 'Details of a contact',
    route: '/contacts',
    path: ({ contacts: [contact] }) => `/contacts?open=${contact}&tab=details`,
    filled: 'Met at the trade fair.',
    requests: 4,
    isOnPhone: true,
  },
  {
    name: 'Contact',
    route: '/contacts/$contactId',
    path: ({ contacts: [contact] }) => `/contacts/${contact}`,
    request: '**/api/contacts/0*',
    filled: 'Asked for the price of 40 seats.',
    requests: 4,
  },
  {
    name: 'Contact, for a viewer',
    route: '/contacts/$contactId',
    path: ({ contacts: [contact] }) => `/contacts/${contact}`,
    user: 'viewer',
    filled: 'Asked for the price of 40 seats.',
  },
  {
    name: 'Duplicates of a contact',
    route: '/contacts',
    path: ({ contacts: [contact] }) => `/contacts?open=${contact}&tab=duplicates`,
    filled: 'Merge',
    requests: 4,
    isOnPhone: true,
  },
  {
    name: 'Contact that does not exist',
    route: '/contacts/$contactId',
    path: `/contacts/${unknownId}`,
    filled: 'This contact does not exist',
  },
]
