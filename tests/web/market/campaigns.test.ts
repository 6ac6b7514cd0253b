import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { follow, listRequests, neutral, waitForText } from '../check-page.ts'
import { createKeyboard } from '../keyboard/keyboard.ts'
import { phone, startWeb } from '../web-pages.ts'
import { campaignName, createCustomers, toCents } from './campaign-flow.ts'

const web = await startWeb()
const { tenant, openSignedIn } = web
const desktop = { viewport: { width: 1440, height: 900 } }

const countOf = (page: Page) => page.getByRole('complementary', { name: 'Count' })

/** The deals that the page shows, in cents, and the sum of their shares. */
async function readDeals(page: Page) {
  const table = page.getByRole('region', { name: 'Deals that it touched' }).getByRole('table')
  const rows = await table.locator('tbody tr').all()
  const deals = await Promise.all(
    rows.map(async (row) => {
      const name = await row.locator('b').textContent()
      const [state, amount, , , , shared] = await row.getByRole('cell').allTextContents()
      return { name: name!, state: state!, amount: toCents(amount!), shared: toCents(shared!) }
    }),
  )
  return { deals, sum: toCents((await table.locator('tfoot td').last().textContent())!) }
}

test('a segment with a usage fact is added to a campaign, whose results lead to the deals behind a number, by keyboard only', async () => {
  const acme = await tenant()
  const customers = await createCustomers(web, acme)
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...desktop, path: '/segments' })
  const { see, press, type, focus, use, choose, seeDialog } = createKeyboard(page)
  /** Types into the search of the list that has just opened. */
  const pick = async (text: string) => {
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await type(text)
    await press('Enter')
  }

  await see('No segments yet')
  await press('c')
  await page.getByRole('heading', { name: 'New segment' }).waitFor()
  await focus('Name')
  await type('Users of <i>reports</i>')
  await focus('Records')
  await type('Contacts')
  await use('Condition')
  await pick('Country')
  await press('Enter')
  await pick('DE')
  await pick('FR')
  await press('Escape')
  await focus('Group')
  await press('Enter')
  await pick('Product usage')
  await use('More: Condition: Product usage')
  await choose('at least … times')
  await type('5')
  await use('More: Condition: Product usage')
  await choose('Event')
  await press('Enter')
  await pick('report_opened')
  await countOf(page).getByText('1', { exact: true }).waitFor()
  await use('Condition')
  await pick('Title')
  await press('Enter')
  await pick('Head of Sales')
  await press('Escape')
  await countOf(page).getByText('2', { exact: true }).waitFor()

  await press('Control+Enter')
  await see('The segment Users of <i>reports</i> was created.')
  await use('Use in')
  await choose('Add to a campaign')
  await seeDialog('Add to a campaign')
  await see('The segment has 2 contacts now.')
  await focus('Campaign')
  await type('reports')
  await page.getByRole('option', { name: campaignName }).waitFor()
  await press('Enter')
  await page.getByRole('option', { name: campaignName }).waitFor({ state: 'hidden' })
  await use('Add 2 contacts')
  await see(`2 people were added to ${campaignName}.`)
  await use('Open the campaign')
  await see('No deal was touched')
  await use('Set who responded')
  await see('Ben Weber')
  await press('Control+a')
  await use('Set status')
  await choose('Clicked')
  await see('2 people are now Clicked.')
  await customers.winDeals()

  const requestsOf = async (path: string, text: string) => {
    await follow(page, neutral.path)
    const show = async () => {
      await follow(page, path)
      await waitForText(page, text)
    }
    return (await listRequests(page, show)).map((request) => request.replace(customers.campaign, '{id}')).toSorted()
  }
  const at = `/campaigns/${customers.campaign}`
  assert.deepEqual(await requestsOf('/campaigns', campaignName), ['GET /api/campaigns/'])
  assert.deepEqual(await requestsOf(`${at}?tab=people`, 'Ben Weber'), [
    'GET /api/campaigns/{id}',
    'GET /api/campaigns/{id}/members',
  ])
  assert.deepEqual(await requestsOf(at, 'Sum of 3 deals'), [
    'GET /api/campaigns/{id}',
    'GET /api/campaigns/{id}/kpis',
    'GET /api/campaigns/{id}/opps',
  ])
  const all = await readDeals(page)
  const others = await customers.listOtherShares()
  assert.deepEqual(
    all.deals.map(({ name, state, amount }) => [name, state, amount]),
    [
      ['Boilers <u>north</u>', 'Won', 10_000_01],
      ['Engines', 'Open', 6_000_50],
      ['Pumps', 'Won', 2_500_00],
    ],
  )
  // The shares of all campaigns add up to the amount of each deal.
  for (const { name, amount, shared } of all.deals) assert.equal(shared + (others.get(name) ?? 0), amount, name)
  const sharedOf = (state: string) =>
    all.deals.filter((deal) => deal.state === state).reduce((sum, { shared }) => sum + shared, 0)
  assert.equal(all.sum, sharedOf('Won') + sharedOf('Open'))
  const won = page.getByRole('region', { name: 'Figures of the campaign' }).getByRole('button', { name: '€' })
  const wonText = (await won.textContent())!
  assert.equal(toCents(wonText), sharedOf('Won'))

  await use(wonText)
  await see('Sum of 2 deals')
  const wonDeals = await readDeals(page)
  assert.deepEqual([wonDeals.deals.map(({ state }) => state), wonDeals.sum], [['Won', 'Won'], toCents(wonText)])
  await focus('First touch')
  await press('ArrowDown', 'ArrowDown', 'ArrowRight')
  const share = (await page.evaluate('document.activeElement.ariaLabel')) as string
  await press('Enter')
  await see('Sum of 1 deal')
  assert.equal((await readDeals(page)).sum, toCents(share))
  assert.equal(toCents(share), sharedOf('Open'))
  await use('Engines')
  await page.getByRole('heading', { name: 'Engines' }).waitFor()
  await see('€6,000.50')
  assert.deepEqual(errors, [])
})

test('a segment with a usage fact leads to the deals behind a number on a phone by touch', {
  timeout: 120_000,
}, async () => {
  const acme = await tenant()
  const customers = await createCustomers(web, acme)
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...phone, path: '/segments/new?type=contact' })
  const tap = (button: string | RegExp) => page.getByRole('button', { name: button }).last().tap()
  const see = (text: string) => waitForText(page, text)
  const pick = async (text: string) => {
    await page.getByRole('dialog').getByRole('combobox').fill(text)
    await page.getByRole('option', { name: text, exact: true }).tap()
  }

  await page.getByLabel('Name').fill('Users of <i>reports</i>')
  await tap('Condition')
  await pick('Country')
  await tap('Add: Value of Country')
  await pick('DE')
  await page.keyboard.press('Escape')
  await tap('Group')
  await pick('Product usage')
  await tap('More: Condition: Product usage')
  await page.getByRole('menuitem', { name: 'Event' }).tap()
  await tap('Product usage: Event: Choose')
  await pick('report_opened')
  await see('1 contact')
  await tap('Save')
  await see('The segment Users of <i>reports</i> was created.')
  await tap('More actions')
  await page.getByRole('menuitem', { name: 'Add to a campaign' }).tap()
  await page.getByRole('combobox', { name: 'Campaign' }).fill('reports')
  await page.getByRole('option', { name: campaignName }).tap()
  await tap('Add 1 contact')
  await see(`1 person was added to ${campaignName}.`)
  await customers.respond()
  await customers.winDeals()
  await page.getByRole('link', { name: 'Open the campaign' }).tap()
  await see('Sum of 2 deals')
  const wonText = '€5,000'
  await page.getByRole('region', { name: 'Figures of the campaign' }).getByRole('button', { name: wonText }).tap()
  await see('Sum of 1 deal')
  assert.deepEqual(await readDeals(page), {
    deals: [{ name: 'Boilers <u>north</u>', state: 'Won', amount: 10_000_01, shared: toCents(wonText) }],
    sum: toCents(wonText),
  })
  await page.getByRole('link', { name: 'Boilers' }).tap()
  await page.getByRole('heading', { name: 'Boilers <u>north</u>' }).waitFor()
  assert.deepEqual(errors, [])
})
