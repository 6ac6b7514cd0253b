import { accountScreens } from './market/account-screens.ts'
import { cadenceScreens } from './market/cadence-screens.ts'
import { campaignScreens } from './market/campaign-screens.ts'
import { contactScreens } from './market/contact-screens.ts'
import { importScreens } from './market/import-screens.ts'
import { segmentScreens } from './market/segment-screens.ts'
import { taskScreens } from './market/task-screens.ts'
import { type Records, unknownId } from './screen-records.ts'

/** A screen of the web application, or a variant of it, such as one with an open record. */
export type Screen = {
  name: string
  /** The path of the route, as web/src defines it. */
  route: string
  /** The path of the screen, if it differs from the route. */
  path?: string | ((records: Records) => string)
  /** The admin if left out. A newcomer has not answered the question for the focus. */
  user?: 'viewer' | 'newcomer'
  /** The request whose response the screen shows. */
  request?: string
  /** A text of the screen in a workspace without records. */
  empty?: string
  /** A text of the screen in a workspace with records. */
  filled?: string
  /** The largest number of API requests until the screen with records is complete, without those of the session. */
  requests?: number
  /** Whether it has a layout of its own for phones. */
  isOnPhone?: true
}

export const pathOf = ({ path, route }: Screen, records: Records): string =>
  typeof path === 'function' ? path(records) : (path ?? route)

/** Every screen and its states are checked once, by `screens.test.ts`. A new screen is a new row. */
export const screens: readonly Screen[] = [
  ...accountScreens,
  ...taskScreens,
  // Before deals, whose pages read contacts.
  ...contactScreens,
  {
    name: 'Home',
    route: '/',
    request: '**/api/home',
    empty: 'The workspace has no leads yet',
    filled: 'Prepare the workshop with all departments',
    requests: 1,
    isOnPhone: true,
  },
  { name: 'Question for the focus', route: '/', user: 'newcomer', filled: 'What do you work on most?' },
  {
    name: 'Inbox',
    route: '/inbox',
    request: '**/api/auth/notifications*',
    empty: 'No notifications yet',
    filled: 'Room "Group contract"',
    requests: 1,
    isOnPhone: true,
  },
  {
    name: 'Leads',
    route: '/leads',
    path: '/leads?view=all',
    request: '**/api/leads/?*',
    empty: 'No leads yet',
    filled: 'Anna Keller',
    requests: 3,
    isOnPhone: true,
  },
  { name: 'Queue of leads', route: '/leads', empty: 'Your queue is empty' },
  {
    name: 'Leads without a match',
    route: '/leads',
    path: '/leads?view=all&grade=A&q=unknown',
    filled: 'No lead matches',
    requests: 3,
  },
  {
    name: 'Lead beside the list',
    route: '/leads',
    path: ({ lead }) => `/leads?view=all&open=${lead}`,
    filled: 'Wants a second demo.',
    requests: 6,
    isOnPhone: true,
  },
  {
    name: 'Details of a lead',
    route: '/leads',
    path: ({ lead }) => `/leads?view=all&open=${lead}&tab=details`,
    filled: 'First name',
    requests: 5,
    isOnPhone: true,
  },
  {
    name: 'Cadences of a lead',
    route: '/leads',
    path: ({ lead }) => `/leads?view=all&open=${lead}&tab=cadences`,
    filled: 'Step 1 of 2',
    requests: 6,
    isOnPhone: true,
  },
  {
    name: 'Lead',
    route: '/leads/$leadId',
    path: ({ lead }) => `/leads/${lead}`,
    request: '**/api/leads/0*',
    filled: 'Wants a second demo.',
    requests: 3,
  },
  {
    name: 'Lead that does not exist',
    route: '/leads/$leadId',
    path: `/leads/${unknownId}`,
    filled: 'This lead does not exist',
  },
  {
    name: 'Deals',
    route: '/deals',
    request: '**/api/opportunities/board*',
    empty: 'You have no deals here',
    filled: 'Platform',
    requests: 3,
    isOnPhone: true,
  },
  { name: 'Deals of all owners', route: '/deals', path: '/deals?owner=all', empty: 'No deals yet' },
  {
    name: 'Deal beside the board',
    route: '/deals',
    path: ({ deal }) => `/deals?open=${deal}`,
    filled: 'Stage history',
    // One is for the contact of the deal.
    requests: 6,
    isOnPhone: true,
  },
  {
    name: 'Deal beside the board, for a viewer',
    route: '/deals',
    path: ({ deal }) => `/deals?owner=all&open=${deal}`,
    user: 'viewer',
    filled: 'Stage history',
    requests: 6,
  },
  {
    name: 'Deal',
    route: '/deals/$dealId',
    path: ({ deal }) => `/deals/${deal}`,
    request: '**/api/opportunities/0*',
    filled: 'Prospecting → Proposal',
    requests: 3,
  },
  {
    name: 'Deal that does not exist',
    route: '/deals/$dealId',
    path: `/deals/${unknownId}`,
    filled: 'This deal does not exist',
  },
  ...cadenceScreens,
  ...campaignScreens,
  {
    name: 'People',
    route: '/people',
    request: '**/api/users/?*',
    filled: 'Katherine Johnson',
    requests: 1,
    isOnPhone: true,
  },
  {
    name: 'People without a match',
    route: '/people',
    path: '/people?q=zebra&status=deactivated',
    filled: 'No person matches',
    requests: 1,
  },
  {
    name: 'Person beside the list',
    route: '/people',
    path: ({ person }) => `/people?open=${person}`,
    filled: 'Time zone',
    requests: 2,
    isOnPhone: true,
  },
  {
    name: 'Person beside the list, for a viewer',
    route: '/people',
    path: ({ person }) => `/people?open=${person}`,
    user: 'viewer',
    filled: 'Time zone',
    requests: 2,
  },
  {
    name: 'Person who does not exist',
    route: '/people',
    path: `/people?open=${unknownId}`,
    filled: 'This person does not exist',
  },
  ...importScreens,
  ...segmentScreens,
  {
    name: 'Trash',
    route: '/trash',
    request: '**/api/deleted-records/lead*',
    empty: 'No deleted leads',
    filled: 'Olga Petrova',
    requests: 1,
    isOnPhone: true,
  },
  { name: 'Trash of deals', route: '/trash', path: '/trash?kind=opportunity', filled: 'No deleted deals', requests: 1 },
  { name: 'Settings', route: '/settings', filled: 'API keys', isOnPhone: true },
  {
    name: 'Workspace',
    route: '/settings/$section',
    path: '/settings/workspace',
    request: '**/api/admin/settings',
    filled: 'people are signed in',
    requests: 2,
    isOnPhone: true,
  },
  {
    name: 'Workspace, for a viewer',
    route: '/settings/$section',
    path: '/settings/workspace',
    user: 'viewer',
    filled: 'Only admins can change these settings.',
  },
  {
    name: 'Sample data',
    route: '/settings/$section',
    path: '/settings/sample-data',
    request: '**/api/admin/demo-data-status',
    empty: 'No sample data is loaded',
    filled: 'Sample data is loaded',
    requests: 1,
    isOnPhone: true,
  },
  {
    name: 'Profile',
    route: '/settings/$section',
    path: '/settings/profile',
    filled: 'Current password',
    isOnPhone: true,
  },
  {
    name: 'Sign-ins',
    route: '/settings/$section',
    path: '/settings/sign-ins',
    request: '**/api/auth/sessions*',
    filled: 'This browser',
    requests: 1,
    isOnPhone: true,
  },
  {
    name: 'API keys',
    route: '/settings/$section',
    path: '/settings/api-keys',
    request: '**/api/api-keys*',
    empty: 'You have no API keys',
    filled: 'Website form',
    requests: 1,
    isOnPhone: true,
  },
  {
    name: 'Appearance',
    route: '/settings/$section',
    path: '/settings/appearance',
    filled: 'Single-letter shortcuts',
    isOnPhone: true,
  },
  {
    name: 'Area without a screen',
    route: '/$area/$',
    path: `/rooms/${unknownId}`,
    filled: 'Rooms has no screen yet',
    isOnPhone: true,
  },
  {
    name: 'Page that does not exist',
    route: '/$area/$',
    path: '/nowhere',
    filled: 'This page does not exist',
    isOnPhone: true,
  },
]
