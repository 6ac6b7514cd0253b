import type { Screen } from '../screens.ts'

/** Rows of the table of screens for tasks and merges. */
export const taskScreens: readonly Screen[] = [
  {
    name: 'Tasks',
    route: '/tasks',
    request: '**/api/activities?*',
    requests: 2,
    empty: 'No open tasks',
    filled: 'Prepare the workshop with all departments',
    isOnPhone: true,
  },
  { name: 'Tasks of a viewer', route: '/tasks', user: 'viewer', filled: 'No open tasks' },
  {
    name: 'Merge of two leads',
    route: '/leads/$leadId/merge',
    path: ({ lead, similarLead }) => `/leads/${lead}/merge?with=${similarLead}`,
    request: '**/api/leads/0*',
    requests: 2,
    filled: 'Keep the other one instead',
    isOnPhone: true,
  },
  {
    name: 'Merge with a lead that does not exist',
    route: '/leads/$leadId/merge',
    path: ({ lead }) => `/leads/${lead}/merge?with=0195d1c2-7c4e-7b1a-9a53-3f1a0c5d2e11`,
    filled: 'One of the records does not exist',
  },
  {
    name: 'Merge of two contacts',
    route: '/contacts/$contactId/merge',
    path: ({ contacts: [kept, other] }) => `/contacts/${kept}/merge?with=${other}`,
    request: '**/api/contacts/0*',
    requests: 2,
    filled: 'Keep the other one instead',
    isOnPhone: true,
  },
  {
    name: 'Merge of two contacts, for a viewer',
    route: '/contacts/$contactId/merge',
    path: ({ contacts: [kept, other] }) => `/contacts/${kept}/merge?with=${other}`,
    user: 'viewer',
    filled: 'You cannot see Merge two contacts',
  },
]
