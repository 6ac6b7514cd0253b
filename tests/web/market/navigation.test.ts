import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { waitUntil } from '#testing'
import { newActiveCadence, updateCadence } from '../../../src/modules/marketing/cadences/cadences/cadences.fixture.ts'
import {
  addMembers,
  newCampaign,
  newLead,
} from '../../../src/modules/marketing/campaigns/campaigns/campaigns.fixture.ts'
import { saveScreenshot } from '../../pages/screenshots.ts'
import { findProblems } from '../check-page.ts'
import { createKeyboard } from '../keyboard/keyboard.ts'
import { phone, startWeb, type Workspace } from '../web-pages.ts'

const { tenant, openSignedIn } = await startWeb()
const desktop = { viewport: { width: 1440, height: 900 } }

const mainOf = (page: Page) => page.getByRole('navigation', { name: 'Main' }).filter({ visible: true })
const preferencesOf = async (user: Workspace['member']) => (await user.get('/api/auth/preferences')).body
const savesPreferences = (user: Workspace['member'], version: number) =>
  waitUntil(async () => (await preferencesOf(user)).version === version)

/** The links and the rows of groups, from top to bottom. A closed group begins with a minus, an open one with a plus. */
const readRows = (page: Page): Promise<string[]> =>
  mainOf(page)
    .locator('a, h2')
    .evaluateAll((rows) =>
      rows.map((row) => {
        const isOpen = row.querySelector('button')?.ariaExpanded
        const mark = isOpen === 'true' ? '+' : isOpen === 'false' ? '-' : ''
        return `${mark}${row.querySelector('span')?.textContent ?? row.textContent}`
      }),
    )

const readBetween = (rows: string[], from: string, to: string) => rows.slice(rows.indexOf(from) + 1, rows.indexOf(to))

async function createAudience(acme: Workspace): Promise<void> {
  const campaign = await newCampaign(acme, { name: 'Webinar <b>pipeline</b>', owner_id: acme.member.userId })
  await acme.manager.patch(`/api/campaigns/${campaign.id}`, { status: 'active' })
  await addMembers(acme, campaign.id, { lead_ids: [await newLead(acme)] })
  await newActiveCadence(acme, { name: 'Follow-up' })
  const paused = await newActiveCadence(acme, { name: 'Visitors of the fair' })
  await updateCadence(acme, paused.id, { status: 'paused' })
  await acme.sql(`update marketing.cadences set paused_reason = 'bounces' where id = $1`, [paused.id])
}

test('home asks once what a user works on, shows the effect at once, and then the week of a marketer', async () => {
  const acme = await tenant()
  await createAudience(acme)
  const { page, errors } = await openSignedIn(acme, acme.member, { ...desktop, asksForFocus: true })
  const keys = createKeyboard(page)
  await page.getByRole('heading', { name: 'What do you work on most?' }).waitFor()
  const before = await readRows(page)

  await keys.press('2')
  await page.getByRole('button', { name: 'Market Campaigns and cadences', pressed: true }).waitFor()
  await keys.see('Your campaigns and cadences of the week, then what waits for you')
  const preview = await readRows(page)
  const unsaved = await preferencesOf(acme.member)
  await saveScreenshot(page, 'market/focus')
  await keys.press('Enter')
  await page.getByRole('heading', { name: 'Campaigns this week' }).waitFor()
  await savesPreferences(acme.member, 1)
  const problems = await findProblems(page)
  await saveScreenshot(page, 'market/home')
  const campaign = page.getByRole('region', { name: 'Campaigns this week' }).getByRole('listitem')
  const cadences = await page
    .getByRole('region', { name: 'Cadences this week' })
    .getByRole('listitem')
    .allTextContents()
  const figures = await campaign.textContent()
  await page.reload()
  await page.getByRole('heading', { name: 'Campaigns this week' }).waitFor()

  assert.deepEqual(before.slice(0, 5), ['Home', 'Inbox', 'Tasks', '+Sell', 'Leads'])
  assert.deepEqual(preview.slice(0, 4), ['Home', 'Inbox', 'Tasks', '+Market'])
  assert.ok(preview.includes('+Sell') && preview.includes('-Workspace'), preview.join())
  assert.equal(unsaved.version, 0)
  assert.deepEqual(await readRows(page), preview)
  assert.ok(preview.length <= 20 + preview.filter((row) => row.startsWith('+')).length)
  assert.match(figures!, /Webinar <b>pipeline<\/b>0 responded1 person added/)
  assert.match(cadences.join(), /^Visitors of the fairPaused by the system: too many bounces.*,Follow-upActive/)
  assert.deepEqual(problems, [])
  assert.deepEqual(errors, [])
})

test('groups open in place and stay open, and closed pages are reached by keys and the command menu', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.viewer, { ...desktop, path: '/leads' })
  const keys = createKeyboard(page)
  const group = (name: string) => mainOf(page).getByRole('button', { name, exact: true })

  await group('Workspace').focus()
  await keys.press('ArrowRight')
  await mainOf(page).getByRole('link', { name: 'People' }).waitFor()
  await group('Sell').focus()
  await keys.press('ArrowLeft')
  await mainOf(page).getByRole('link', { name: 'Leads' }).waitFor({ state: 'detached' })
  await savesPreferences(acme.viewer, 2)
  await page.reload()
  await mainOf(page).getByRole('link', { name: 'People' }).waitFor()
  const rows = await readRows(page)
  await page.locator('main h1').first().click()
  await keys.press('g', 'd')
  await page.waitForURL((url) => url.pathname === '/deals')
  await keys.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await keys.type('go to leads')
  await keys.press('Enter')
  await page.waitForURL((url) => url.pathname === '/leads')

  assert.ok(rows.includes('-Sell') && rows.includes('+Workspace') && rows.includes('People'), rows.join())
  assert.equal(rows.includes('Leads'), false)
  assert.deepEqual((await preferencesOf(acme.viewer)).collapsed, ['focus', 'workspace', 'sell'])
  assert.deepEqual(errors, [])
})

test('pages are pinned by the menu of a link and by a command, and moved by keys', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.member, { ...desktop, path: '/leads?view=all&grade=A' })
  const keys = createKeyboard(page)
  const pins = async () => readBetween(await readRows(page), 'Pinned', '+Sell')
  const deals = mainOf(page).getByRole('link', { name: 'Deals' })
  const pinnedDeals = mainOf(page).locator('a[aria-keyshortcuts]', { hasText: 'Deals' })

  await keys.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await keys.type('pin or unpin')
  await keys.press('Enter')
  await keys.see('“Leads” is pinned.')
  await deals.click({ button: 'right' })
  const menuProblems = await findProblems(page.getByRole('menu'))
  await page.getByRole('menuitem', { name: 'Pin' }).click()
  await pinnedDeals.waitFor()
  await savesPreferences(acme.member, 2)
  const added = await pins()
  await pinnedDeals.focus()
  await keys.press('Alt+ArrowUp')
  await savesPreferences(acme.member, 3)
  const moved = await pins()
  const focused = await page.evaluate('document.activeElement.textContent')
  await page.reload()
  await pinnedDeals.click()
  await page.waitForURL((url) => url.pathname === '/deals')
  await mainOf(page).locator('a[aria-keyshortcuts]', { hasText: 'Leads' }).click()
  await page.waitForURL((url) => url.pathname === '/leads' && url.searchParams.get('grade') === 'A')
  await pinnedDeals.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Unpin' }).click()
  await savesPreferences(acme.member, 4)

  assert.deepEqual(added, ['Leads', 'Deals'])
  assert.deepEqual([moved, focused], [['Deals', 'Leads'], 'Deals'])
  assert.deepEqual((await preferencesOf(acme.member)).pinned, ['/leads?view=all&grade=A Leads'])
  assert.deepEqual([...menuProblems, ...errors], [])
})

test('changes of two tabs are both kept', async () => {
  const acme = await tenant()
  const { page, context, origin, errors } = await openSignedIn(acme, acme.member, { ...desktop, path: '/leads' })
  const other = await context.newPage()
  await other.goto(`${origin}/deals`)
  const pin = async (tab: Page, name: string) => {
    await mainOf(tab).getByRole('link', { name, exact: true }).first().click({ button: 'right' })
    await tab.getByRole('menuitem', { name: 'Pin' }).click()
  }

  await pin(page, 'Leads')
  await savesPreferences(acme.member, 1)
  await pin(other, 'Deals')
  await savesPreferences(acme.member, 2)
  await pin(page, 'Inbox')
  await savesPreferences(acme.member, 3)

  assert.deepEqual((await preferencesOf(acme.member)).pinned, ['/leads Leads', '/deals Deals', '/inbox Inbox'])
  assert.deepEqual(errors, [])
})

test('the navigation becomes a rail of icons with a menu of the closed groups', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.admin, { ...desktop, path: '/settings/appearance' })
  const keys = createKeyboard(page)
  const width = async () => Math.round((await mainOf(page).boundingBox())!.width)
  const full = await width()

  await page.locator('main h1').first().click()
  await keys.press('[')
  await waitUntil(async () => (await width()) === 56)
  const problems = await findProblems(mainOf(page))
  await saveScreenshot(page, 'market/rail')
  const title = await mainOf(page).getByRole('link', { name: 'Leads' }).getAttribute('title')
  await mainOf(page).getByRole('button', { name: 'More groups' }).click()
  await page.getByRole('menuitem', { name: 'People' }).click()
  await page.waitForURL((url) => url.pathname === '/people')
  await page.reload()
  await waitUntil(async () => (await width()) === 56)

  assert.deepEqual([full, title], [228, 'Leads (G L)'])
  assert.deepEqual([...problems, ...errors], [])
})

test('a phone has two lists of the focus at the bottom and all pages in a sheet', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.admin, { ...phone, asksForFocus: true })
  const dock = async () => await mainOf(page).locator('> a, > button').allTextContents()
  await page.getByRole('heading', { name: 'What do you work on most?' }).waitFor()
  const questionProblems = await findProblems(page)

  await page.getByRole('button', { name: 'Run the workspace' }).tap()
  const preview = await dock()
  await page.getByRole('button', { name: 'Not now' }).tap()
  await page.getByRole('heading', { name: /^Good/ }).waitFor()
  await savesPreferences(acme.admin, 1)
  const shown = await dock()
  await page.getByRole('button', { name: 'Menu' }).tap()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('link', { name: 'Deals' }).waitFor()
  await sheet.getByRole('button', { name: /^Workspace/ }).tap()
  await sheet.getByRole('link', { name: 'People' }).waitFor()
  const problems = await findProblems(sheet)
  await saveScreenshot(page, 'market/menu-phone')
  await sheet.getByRole('link', { name: 'People' }).tap()
  await page.waitForURL((url) => url.pathname === '/people')
  await sheet.waitFor({ state: 'detached' })

  assert.deepEqual(preview, ['Home', 'People', 'Settings', 'Search', 'Menu'])
  assert.deepEqual([shown.length, shown[1], shown.at(-1)], [5, 'Leads', 'Menu'])
  assert.deepEqual((await preferencesOf(acme.admin)).focus, null)
  assert.deepEqual([...questionProblems, ...problems, ...errors], [])
})
