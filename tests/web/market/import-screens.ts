import { unknownId } from '../screen-records.ts'
import type { Screen } from '../screens.ts'

/** The screens of imports, in each state that an import can have. */
export const importScreens: readonly Screen[] = [
  {
    name: 'Imports',
    route: '/imports',
    request: '**/api/leads/imports?*',
    empty: 'No imports yet',
    filled: 'completed-leads.csv',
    requests: 2,
    isOnPhone: true,
  },
  {
    name: 'New import',
    route: '/imports/$type/$importId',
    path: '/imports/leads/new',
    filled: 'What is in the file?',
    isOnPhone: true,
  },
  {
    name: 'File of an import',
    route: '/imports/$type/$importId',
    path: ({ imports }) => `/imports/leads/${imports.uploaded}?step=file`,
    filled: 'The first rows',
    isOnPhone: true,
  },
  {
    name: 'Columns of an import',
    route: '/imports/$type/$importId',
    path: ({ imports }) => `/imports/leads/${imports.uploaded}?step=columns`,
    request: '**/api/leads/imports/0*',
    filled: 'Row 1 becomes',
    requests: 3,
    isOnPhone: true,
  },
  {
    name: 'Options of an import',
    route: '/imports/$type/$importId',
    path: ({ imports }) => `/imports/leads/${imports.uploaded}?step=options`,
    filled: 'Legitimate interest',
    isOnPhone: true,
  },
  {
    name: 'Checked import',
    route: '/imports/$type/$importId',
    path: ({ imports }) => `/imports/leads/${imports.checked}`,
    filled: 'Email is not an email address',
    isOnPhone: true,
  },
  {
    name: 'Running import',
    route: '/imports/$type/$importId',
    path: ({ imports }) => `/imports/leads/${imports.running}`,
    filled: 'Import is running',
  },
  {
    name: 'Completed import',
    route: '/imports/$type/$importId',
    path: ({ imports }) => `/imports/leads/${imports.completed}`,
    filled: '2 leads are in',
    isOnPhone: true,
  },
  {
    name: 'Failed import',
    route: '/imports/$type/$importId',
    path: ({ imports }) => `/imports/leads/${imports.failed}`,
    filled: 'Stopped: more than half of the rows failed',
  },
  {
    name: 'Stopped import',
    route: '/imports/$type/$importId',
    path: ({ imports }) => `/imports/leads/${imports.cancelled}`,
    filled: 'Nothing was imported.',
  },
  {
    name: 'Undone import',
    route: '/imports/$type/$importId',
    path: ({ imports }) => `/imports/leads/${imports.undone}`,
    filled: 'It was changed after the import.',
  },
  {
    name: 'Import that does not exist',
    route: '/imports/$type/$importId',
    path: `/imports/leads/${unknownId}`,
    filled: 'This import does not exist',
  },
  {
    name: 'Import, for a viewer',
    route: '/imports/$type/$importId',
    path: '/imports/leads/new',
    filled: 'You cannot see imports',
    user: 'viewer',
  },
]
