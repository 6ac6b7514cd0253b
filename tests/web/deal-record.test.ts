import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { waitUntil } from '#testing'
import {
  dayFromNow,
  euros,
  newAccount,
  newContact,
  newDeal,
} from '../../src/modules/crm/deals/opportunities/opportunities.fixture.ts'
import { findProblems } from './check-page.ts'
import { cardOf, followRequests, laneOf, readFocusedName, showsToast } from './deal-pages.ts'
import { loseResponse, startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const editField = async (page: Page, field: string, text: string) => {
  await page.getByRole('button', { name: `Edit ${field}` }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel(field, { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

test('a seller creates a deal with a new account by keyboard', async () => {
  const acme = await tenant()
  await newAccount(acme, 'Northgate Energy')
  const { page, errors } = await openSignedIn(acme, acme.member, { path: '/deals' })
  await page.getByRole('heading', { name: 'You have no deals here' }).waitFor()

  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New deal' }).waitFor()
  await page.keyboard.type('Platform')
  await page.keyboard.press('Tab')
  await page.keyboard.type('north')
  await page.getByRole('option', { name: /Northgate Energy/ }).waitFor()
  assert.deepEqual(await findProblems(page.getByRole('dialog')), [])
  await page.keyboard.type('wind')
  await page.getByRole('option', { name: 'Create the account “northwind”', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('Amount').fill('92,000')
  await page.getByLabel('Currency').fill('USD')
  await page.keyboard.press('Enter')
  await page.locator('[name=currency][aria-invalid]').waitFor()
  await page.getByLabel('Currency').fill('eur')
  await loseResponse(page)
  await page.keyboard.press('Enter')
  await page.getByText('The server could not be reached.').waitFor()
  await page.getByLabel('Currency').press('Enter')
  await showsToast(page, 'Platform was created')
  await panelOf(page, 'Platform').waitFor()
  await laneOf(page, 'Prospecting').getByRole('button', { name: 'Platform, northwind, €92,000' }).waitFor()

  const accounts = (await acme.member.get('/api/accounts/?search=northwind')).body.items
  const deals = (await acme.member.get('/api/opportunities/')).body.items
  assert.deepEqual([accounts.length, deals.length], [1, 1])
  assert.deepEqual(errors, [])
})

test('fields, owner, people and activities of a deal are edited in the panel', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme)
  const contact_id = await newContact(acme, 'Hamilton')
  const ada = { last_name: 'Hamilton', email: 'ada@looms.example', phone: '+49 30 23125 417' }
  await acme.manager.patch(`/api/contacts/${contact_id}`, ada)
  const { id } = await newDeal(acme, {
    account_id,
    name: 'Looms',
    amount: euros('100'),
    primary_contact_id: contact_id,
  })
  const { page, errors } = await openSignedIn(acme, acme.member, { path: '/deals' })
  const { waitUntilQuiet } = followRequests(page)
  await cardOf(page, 'Looms').focus()
  await page.keyboard.press('Enter')
  await panelOf(page, 'Looms').waitFor()

  await editField(page, 'Next step', 'Send the offer')
  await editField(page, 'Amount', '2,500.50')
  await laneOf(page, 'Prospecting').getByText('€2,500.50').first().waitFor()
  await editField(page, 'Amount', 'much')
  await page.getByText('Enter a number').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Amount', exact: true }).inputValue(), 'much')
  await page.getByRole('button', { name: 'Discard' }).press('Enter')
  await page.getByRole('button', { name: 'Edit Amount: €2,500.50' }).waitFor()
  await page.getByRole('button', { name: 'Add contact' }).click()
  const search = page.getByRole('combobox', { name: 'Contact' })
  await search.fill('ham')
  // Before the response: the choice is made when it arrives.
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await waitUntil(async () => /Hamilton/.test(await search.inputValue()))
  await page.getByLabel('Role', { exact: true }).selectOption('Champion')
  await search.press('Enter')
  await page.getByLabel('Role of Hamilton').waitFor()
  const contacts = panelOf(page, 'Looms').getByRole('listitem').filter({ hasText: 'Hamilton' })
  const hrefs = ['ada@looms.example', '+49 30 23125 417'].map((name) =>
    contacts.getByRole('link', { name }).first().getAttribute('href'),
  )
  assert.deepEqual(await Promise.all(hrefs), ['mailto:ada%40looms.example', 'tel:+493023125417'])
  await page.getByText('Stage history').click()
  await page.getByText('Created in Prospecting').waitFor()
  assert.deepEqual(await findProblems(panelOf(page, 'Looms')), [])

  await page.keyboard.press('n')
  await page.keyboard.type('They want two more')
  await page.keyboard.press('Control+Enter')
  await page.getByText('They want two more').last().waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await page.getByRole('dialog', { name: 'Assign the deal' }).waitFor()
  await page.keyboard.type(acme.manager.name)
  await page.getByRole('option', { name: acme.manager.name, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: `Edit Owner: ${acme.manager.name}` }).waitFor()
  await waitUntilQuiet()

  const deal = (await acme.member.get(`/api/opportunities/${id}`)).body
  assert.deepEqual(
    [deal.next_step, deal.amount, deal.owner_id],
    ['Send the offer', euros('2500.50'), acme.manager.userId],
  )
  assert.equal(deal.contacts.find((one: { contact_id: string }) => one.contact_id === contact_id).role, 'champion')
  assert.deepEqual(errors, [])
})

test('two users edit one deal: different fields are merged, and for the same field the second user chooses', async () => {
  const acme = await tenant()
  const { id } = await newDeal(acme, { name: 'Turbines', next_step: 'Call' })
  const { page } = await openSignedIn(acme, acme.member, { path: `/deals/${id}` })
  const { waitUntilQuiet } = followRequests(page)
  const changeElsewhere = async (changes: object) => {
    const { status } = await acme.manager.patch(`/api/opportunities/${id}`, changes)
    assert.equal(status, 200)
  }
  await page.getByRole('heading', { name: 'Turbines', level: 1 }).waitFor()

  await waitUntilQuiet()
  await changeElsewhere({ notes: 'Written by the manager' })
  await editField(page, 'Next step', 'Visit')
  await page.getByText('Written by the manager').waitFor()
  await waitUntilQuiet()
  await changeElsewhere({ next_step: 'Wait' })
  await editField(page, 'Next step', 'Send the offer')
  await page.getByRole('alert').getByText('Wait').waitFor()
  assert.deepEqual(await findProblems(page.getByRole('alert')), [])
  const isSaved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Save mine' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Edit Next step: Send the offer' }).waitFor()
  await isSaved

  const { next_step, notes } = (await acme.member.get(`/api/opportunities/${id}`)).body
  assert.deepEqual([next_step, notes], ['Send the offer', 'Written by the manager'])
})

test('a deal is won on its page, reopened, deleted and restored', async () => {
  const acme = await tenant()
  const { id } = await newDeal(acme, { name: 'Bridges', amount: euros('100') })
  const { page, origin, errors } = await openSignedIn(acme, acme.member, { path: `/deals/${id}` })

  await page.getByRole('button', { name: 'Mark as won' }).click()
  await page.getByRole('dialog', { name: 'Win Bridges' }).getByRole('button', { name: 'Mark as won' }).click()
  await page.getByRole('button', { name: 'Reopen deal' }).click()
  await page.getByLabel('Expected close date').fill(dayFromNow(-3))
  await page.keyboard.press('Enter')
  await page.getByText('must not be in the past').waitFor()
  await page.getByLabel('Expected close date').fill(dayFromNow(40))
  await page.keyboard.press('Enter')
  await showsToast(page, 'Bridges is open again')
  await page.getByRole('button', { name: 'Move to Proposal' }).click()
  await showsToast(page, 'Bridges moved to Proposal')
  await page.getByText('Negotiation → Proposal').first().waitFor()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete the deal' }).click()
  await showsToast(page, 'Bridges was deleted')
  await page.getByRole('heading', { name: 'Deals', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await showsToast(page, 'Bridges was restored')
  await laneOf(page, 'Proposal')
    .getByRole('button', { name: /^Bridges/ })
    .waitFor()
  await page.goto(`${origin}/deals/00000000-0000-7000-8000-000000000000`)
  await page.getByRole('heading', { name: 'This deal does not exist' }).waitFor()

  assert.deepEqual(errors, [])
})

test('the keys of the board continue in the open panel, and closing it returns the focus', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme)
  await newDeal(acme, { account_id, name: 'Anchors', amount: euros('900') })
  const late = { stage_key: 'negotiation', close_on: dayFromNow(-7) }
  await newDeal(acme, { account_id, name: 'Buoys', amount: euros('500'), ...late })
  const { page } = await openSignedIn(acme, acme.member, { path: '/deals' })
  await laneOf(page, 'Negotiation')
    .getByText(/^Overdue[78] days over$/)
    .waitFor()
  await cardOf(page, 'Anchors').focus()

  await page.keyboard.press('Enter')
  await panelOf(page, 'Anchors').getByText('1 of 1').waitFor()
  await page.keyboard.press('j')
  await panelOf(page, 'Buoys').waitFor()
  await page.reload()
  await panelOf(page, 'Buoys').getByRole('button', { name: 'Edit Name: Buoys' }).waitFor()
  await panelOf(page, 'Buoys')
    .getByRole('button', { name: /, [78] days over$/ })
    .waitFor()
  const [card, panel] = [await cardOf(page, 'Buoys').boundingBox(), await panelOf(page, 'Buoys').boundingBox()]
  assert.ok(card!.x + card!.width <= panel!.x, 'the open card is covered or out of view')
  await page.keyboard.press('Escape')
  await panelOf(page, 'Buoys').waitFor({ state: 'detached' })
  assert.match(await readFocusedName(page), /^Buoys/)
  await page.keyboard.press('n')
  await panelOf(page, 'Buoys').getByRole('textbox', { name: 'Write a note' }).waitFor()
  await page.keyboard.type('Seen')
  await page.keyboard.press('Control+Enter')
  await panelOf(page, 'Buoys').getByRole('listitem').filter({ hasText: 'Seen' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await cardOf(page, 'Buoys').focus()
  await page.keyboard.press('Shift+Enter')
  await page.getByRole('heading', { name: 'Buoys', level: 1 }).waitFor()

  assert.match(page.url(), /\/deals\/[\da-f-]{36}$/)
})
