import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '#testing'
import { euros, newAccount, newDeal } from '../../src/modules/crm/deals/opportunities/opportunities.fixture.ts'
import { findProblems } from './check-page.ts'
import { cardOf, showsToast } from './deal-pages.ts'
import { createLead, getLead, grid, panelOf, rowOf, waitForRows } from './lead-pages.ts'
import { phone, startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

test('a lead is created and edited on a phone', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.member, { ...phone, path: '/leads' })

  await page.getByRole('button', { name: 'New lead' }).first().tap()
  const dialog = page.getByRole('dialog', { name: 'New lead' })
  await dialog.getByLabel('Email').fill('priya.nair@brightwater.example')
  await dialog.getByLabel('Last name').fill('Nair')
  assert.deepEqual(await findProblems(dialog), [])
  await dialog.getByRole('button', { name: 'Create lead' }).tap()
  const panel = panelOf(page, 'Nair')
  await panel.getByRole('tab', { name: 'Details' }).tap()
  await panel.getByRole('button', { name: 'Edit Title' }).tap()
  await panel.getByLabel('Title').fill('VP Sales')
  await page.keyboard.press('Enter')

  await waitUntil(async () => (await acme.member.get('/api/leads/?search=nair')).body.items[0]?.title === 'VP Sales')
  assert.deepEqual(errors, [])
})

test('leads are selected on a phone by their pictures, deleted together and restored', async () => {
  const acme = await tenant()
  for (const name of ['Anna Keller', 'Omar Haddad', 'Mei Chen']) await createLead(acme.manager, name)
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...phone, path: '/leads' })
  await waitForRows(page)

  await page.getByRole('checkbox', { name: 'Select Anna Keller' }).tap()
  await page.getByRole('checkbox', { name: 'Select Mei Chen' }).tap()
  await page.getByText('2 leads selected').waitFor()
  assert.deepEqual(await findProblems(grid(page)), [])
  assert.deepEqual(await findProblems(page.getByRole('region', { name: 'Selected leads' })), [])
  await page.getByRole('button', { name: 'Delete' }).tap()
  await page.getByText('2 leads deleted.').waitFor()
  await rowOf(page, 'Anna Keller').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).tap()

  await page.getByText('2 leads restored.').waitFor()
  await rowOf(page, 'Anna Keller').waitFor()
  assert.deepEqual(errors, [])
})

test('a lead is converted on a phone', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'James Porter', { company: 'Windmill Systems' })
  const { page, errors } = await openSignedIn(acme, acme.member, { ...phone, path: '/leads' })
  await rowOf(page, 'James Porter').tap()

  await panelOf(page, 'James Porter').getByRole('button', { name: 'More actions' }).tap()
  await page.getByRole('menuitem', { name: 'Convert' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Convert James Porter' })
  await dialog.getByLabel('Amount in').fill('12000')
  assert.deepEqual(await findProblems(dialog), [])
  await dialog.getByRole('button', { name: 'Convert', exact: true }).tap()

  const result = page.getByRole('dialog', { name: 'The lead was converted' })
  await result.waitFor()
  assert.deepEqual(await findProblems(result), [])
  assert.equal((await getLead(acme.member, lead)).status, 'converted')
  assert.deepEqual(errors, [])
})

test('deals are won and lost on a phone', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme)
  const won = await newDeal(acme, { account_id, name: 'Boilers', amount: euros('500') })
  const lost = await newDeal(acme, { account_id, name: 'Pipes', amount: euros('10') })
  const { page, errors } = await openSignedIn(acme, acme.member, { ...phone, path: '/deals' })
  await cardOf(page, 'Boilers').waitFor()

  await page.getByRole('button', { name: 'Actions for Boilers' }).tap()
  await page.getByRole('menuitem', { name: 'Closed won' }).tap()
  const winning = page.getByRole('dialog', { name: 'Win Boilers' })
  await winning.waitFor()
  assert.deepEqual(await findProblems(winning), [])
  await page.getByRole('button', { name: 'Mark as won' }).tap()
  await showsToast(page, 'Boilers is won: €500')
  await page.getByRole('button', { name: 'Actions for Pipes' }).tap()
  await page.getByRole('menuitem', { name: 'Closed lost' }).tap()
  await page.getByLabel('Reason').selectOption('Competitor')
  await page.getByRole('button', { name: 'Mark as lost' }).tap()
  await showsToast(page, 'Pipes is lost')

  const kindOf = async ({ id }: { id: string }) => (await acme.member.get(`/api/opportunities/${id}`)).body.kind
  assert.deepEqual([await kindOf(won), await kindOf(lost)], ['won', 'lost'])
  assert.deepEqual(errors, [])
})
