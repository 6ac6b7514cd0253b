import type { Locator, Page } from 'playwright-core'
import { pressKeys, waitForRows } from '../lead-pages.ts'
import type { Records } from '../screen-records.ts'

/** A part of the application whose file is loaded later, and how a user opens it. */
export type LazyPart = {
  /** The name of its file without hash. */
  file: string
  path: (records: Records) => string
  open?: (page: Page) => Promise<void>
  shows: (page: Page) => Locator
}

const leads = () => '/leads?view=all'
const leadOf = ({ lead }: Records) => `/leads?view=all&open=${lead}`
const dealOf = ({ deal }: Records) => `/deals?open=${deal}`
const text = (content: string) => (page: Page) => page.getByText(content).filter({ visible: true }).first()
const dialog = (name: string | RegExp) => (page: Page) => page.getByRole('dialog', { name })

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().press('Enter')
}

async function pressOnRows(page: Page, ...keys: string[]): Promise<void> {
  await waitForRows(page)
  await pressKeys(page, ...keys)
}

/** Opens a part of a record after the record is shown. */
const onRecord =
  (shown: string, ...keys: string[]) =>
  async (page: Page) => {
    await text(shown)(page).waitFor()
    await pressKeys(page, ...keys)
  }

/** Parts without a row are loaded without being shown. */
export const lazyParts: readonly LazyPart[] = [
  { file: 'home-page', path: () => '/', shows: text('Next up') },
  {
    file: 'pin-menu',
    path: leads,
    open: (page) => page.getByRole('link', { name: 'Deals' }).click({ button: 'right' }),
    shows: (page) => page.getByRole('menuitem', { name: 'Pin' }),
  },
  { file: 'inbox-page', path: () => '/inbox', shows: text('Room "Group contract"') },
  { file: 'leads-page', path: leads, shows: text('Anna Keller') },
  { file: 'lead-page', path: ({ lead }) => `/leads/${lead}`, shows: text('Wants a second demo.') },
  { file: 'deals-page', path: () => '/deals', shows: text('Turbines for all departments') },
  { file: 'deal-page', path: ({ deal }) => `/deals/${deal}`, shows: text('Stage history') },
  { file: 'people-page', path: () => '/people', shows: text('Katherine Johnson') },
  { file: 'settings-page', path: () => '/settings', shows: text('API keys') },
  { file: 'later-area-page', path: () => '/rooms/1', shows: text('Rooms has no screen yet') },
  { file: 'lead-panel', path: leadOf, shows: text('Wants a second demo.') },
  { file: 'create-dialog', path: leads, open: (page) => pressOnRows(page, 'c'), shows: dialog('New lead') },
  {
    file: 'filter-dialog',
    path: leads,
    async open(page) {
      await waitForRows(page)
      await press(page, 'Add a filter')
      await page.getByRole('menuitem', { name: 'Tag' }).press('Enter')
    },
    shows: dialog('Filter by Tag'),
  },
  { file: 'lead-figures', path: () => '/leads', shows: text('awaiting first response') },
  { file: 'list-states', path: () => '/leads?view=all&q=unknown', shows: text('No lead matches') },
  {
    file: 'bulk-actions',
    path: leads,
    open: (page) => pressOnRows(page, 'x'),
    shows: (page) => page.getByRole('region', { name: 'Selected leads' }),
  },
  { file: 'row-action', path: leads, open: (page) => pressOnRows(page, 'a'), shows: dialog('Assign the lead to') },
  {
    file: 'person-picker',
    path: leadOf,
    open: onRecord('Wants a second demo.', 'a'),
    shows: dialog('Assign the lead to'),
  },
  { file: 'reason-dialog', path: leadOf, open: onRecord('Wants a second demo.', '6'), shows: dialog(/./) },
  {
    file: 'convert-dialog',
    path: leadOf,
    open: onRecord('Wants a second demo.', 'Shift+C'),
    shows: dialog('Convert Anna Keller'),
  },
  {
    file: 'save-view-dialog',
    path: leads,
    async open(page) {
      await waitForRows(page)
      await press(page, 'Save view')
    },
    shows: dialog(/view/),
  },
  {
    file: 'remove-dialog',
    path: ({ lead }) => `/leads?view=all&open=${lead}&tab=cadences`,
    async open(page) {
      await press(page, /^Remove from/)
    },
    shows: dialog(/^Remove from/),
  },
  {
    file: 'menu-popup',
    path: () => '/nowhere',
    open: (page) => press(page, 'Your account'),
    shows: (page) => page.getByRole('menu'),
  },
  {
    file: 'command-menu',
    path: leads,
    open: (page) => pressOnRows(page, 'Control+k'),
    shows: (page) => page.getByRole('combobox').first(),
  },
  {
    file: 'shortcuts-dialog',
    path: leads,
    open: (page) => pressOnRows(page, '?'),
    shows: dialog('Keyboard shortcuts'),
  },
  { file: 'new-deal-dialog', path: () => '/deals', open: onRecord('Platform', 'c'), shows: dialog('New deal') },
  { file: 'deal-panel', path: dealOf, shows: text('Stage history') },
  {
    file: 'closed-deals',
    path: () => '/deals?closed=closed_won',
    shows: (page) => page.getByRole('region', { name: /won/i }).first(),
  },
  {
    file: 'close-dialogs',
    path: dealOf,
    async open(page) {
      await text('Stage history')(page).waitFor()
      await press(page, 'Mark as won')
    },
    shows: dialog(/./),
  },
  {
    file: 'add-contact-dialog',
    path: dealOf,
    async open(page) {
      await text('Stage history')(page).waitFor()
      await press(page, 'Add contact')
    },
    shows: dialog(/contact/),
  },
  {
    file: 'invite-dialog',
    path: () => '/people',
    open: onRecord('Katherine Johnson', 'c'),
    shows: dialog('Invite a person'),
  },
  { file: 'person-panel', path: ({ person }) => `/people?open=${person}`, shows: text('Time zone') },
]
