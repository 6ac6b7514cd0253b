import assert from 'node:assert/strict'
import { test } from 'node:test'
import { euros, newAccount, newDeal } from '../../src/modules/crm/deals/opportunities/opportunities.fixture.ts'
import { findCutPartsOfWidths, findProblems } from './check-page.ts'
import { cardOf, followRequests, isInStage, laneOf, pressAtOnce, readFocusedName, showsToast } from './deal-pages.ts'
import { phone, startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

const readDeal = async (acme: Awaited<ReturnType<typeof tenant>>, id: string) =>
  (await acme.member.get(`/api/opportunities/${id}`)).body

test('a seller moves deals by keys, by menu and by drag, and takes a move back', async () => {
  const acme = await tenant()
  const engines = await newDeal(acme, { name: 'Engines', amount: euros('900'), probability_rate: 0.37 })
  await newDeal(acme, { name: 'Wheels', amount: euros('500') })
  const { page, errors } = await openSignedIn(acme, acme.member, { path: '/deals' })
  const { waitUntilQuiet } = followRequests(page)
  await cardOf(page, 'Wheels').waitFor()

  await page.keyboard.press('j')
  assert.match(await readFocusedName(page), /^Engines, /)
  await page.keyboard.press(']')
  await isInStage(page, 'Engines', 'Qualification')
  await showsToast(page, 'Engines moved to Qualification')
  assert.match(await readFocusedName(page), /^Engines, /)
  await pressAtOnce(page, ']', ']', '[')
  await waitUntilQuiet()
  await isInStage(page, 'Engines', 'Proposal')
  assert.equal((await readDeal(acme, engines.id)).stage_key, 'proposal')

  await page.keyboard.press('ArrowLeft')
  assert.match(await readFocusedName(page), /^Wheels, /)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Negotiation' }).waitFor()
  await page.keyboard.type('neg')
  await page.keyboard.press('Enter')
  await isInStage(page, 'Wheels', 'Negotiation')

  await page.locator('li[draggable=true]').first().waitFor()
  const card = page
    .locator('li')
    .filter({ hasText: 'Wheels' })
    .filter({ has: page.locator('h3') })
  await card.dragTo(laneOf(page, 'Prospecting'))
  await isInStage(page, 'Wheels', 'Prospecting')
  await showsToast(page, 'Wheels moved to Prospecting')

  await cardOf(page, 'Engines').focus()
  await page.keyboard.press('[')
  const toast = page
    .getByRole('status')
    .locator('div')
    .filter({ hasText: /^Engines moved to Qualification/ })
    .last()
  await toast.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await showsToast(page, 'Engines moved back to Proposal')
  await isInStage(page, 'Engines', 'Proposal')
  assert.deepEqual(errors, [])
})

test('undoing a move restores a probability that was set manually', async () => {
  const acme = await tenant()
  const { id } = await newDeal(acme, { name: 'Gears', probability_rate: 0.37, forecast_category: 'commit' })
  const { page } = await openSignedIn(acme, acme.member, { path: '/deals' })
  await cardOf(page, 'Gears').focus()

  await page.keyboard.press(']')
  await page.getByRole('button', { name: 'Undo' }).click()
  await showsToast(page, 'Gears moved back')

  const { stage_key, probability_rate, forecast_category } = await readDeal(acme, id)
  assert.deepEqual([stage_key, probability_rate, forecast_category], ['prospecting', 0.37, 'commit'])
})

test('winning asks for the amount, losing for the reason, and Escape leaves the deal where it is', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme)
  const [first, second] = [
    await newDeal(acme, { account_id, name: 'Boilers', stage_key: 'negotiation' }),
    await newDeal(acme, { account_id, name: 'Pipes', stage_key: 'negotiation', amount: euros('10') }),
  ]
  const { page, errors } = await openSignedIn(acme, acme.member, { path: '/deals' })
  await cardOf(page, 'Boilers').focus()

  await page.keyboard.press(']')
  const winning = page.getByRole('dialog', { name: 'Win Boilers' })
  await winning.waitFor()
  assert.deepEqual(await findProblems(winning), [])
  await page.keyboard.press('Escape')
  await isInStage(page, 'Boilers', 'Negotiation')
  assert.match(await readFocusedName(page), /^Boilers, /)
  await page.keyboard.press(']')
  await page.getByLabel('Amount (EUR)').fill('12,5')
  await page.keyboard.press('Enter')
  await page.getByText('Enter a number').waitFor()
  await page.getByLabel('Amount (EUR)').fill('54,000')
  await page.keyboard.press('Enter')
  await showsToast(page, 'Boilers is won: €54,000')
  await laneOf(page, 'Closed won').getByText('€54,000').waitFor()

  assert.match(await readFocusedName(page), /^Pipes, /)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Closed lost' }).click()
  await page.getByRole('dialog', { name: 'Lose Pipes' }).waitFor()
  await page.getByLabel('Reason').selectOption('Competitor')
  await page.getByLabel('Details').fill('Cheaper by half')
  await page.getByRole('button', { name: 'Mark as lost' }).click()
  await showsToast(page, 'Pipes is lost')

  await page.getByRole('button', { name: /^Show the deals: Closed won/ }).click()
  const list = page.getByRole('region', { name: 'Closed won', exact: true })
  await list.getByRole('link', { name: /Boilers.*€54,000/ }).waitFor()
  assert.deepEqual(await findProblems(list), [])
  await list.getByRole('link', { name: /Boilers/ }).click()
  await page.getByRole('region', { name: 'Boilers', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })

  const [won, lost] = [await readDeal(acme, first.id), await readDeal(acme, second.id)]
  assert.deepEqual([won.kind, won.amount], ['won', euros('54000.00')])
  assert.deepEqual([lost.kind, lost.lost_reason, lost.lost_detail], ['lost', 'competitor', 'Cheaper by half'])
  assert.deepEqual(errors, [])
})

test('a user is told if another user has moved the deal at the same time', async () => {
  const acme = await tenant()
  const { id } = await newDeal(acme, { name: 'Valves', amount: euros('70') })
  const [one, other] = [
    await openSignedIn(acme, acme.member, { path: '/deals' }),
    await openSignedIn(acme, acme.manager, { path: '/deals?owner=all' }),
  ]
  await Promise.all([cardOf(one.page, 'Valves').focus(), cardOf(other.page, 'Valves').focus()])
  await acme.manager.patch(`/api/opportunities/${id}`, { next_step: 'Send the offer' })

  await one.page.keyboard.press(']')
  await showsToast(one.page, 'Valves moved to Qualification')
  await other.page.keyboard.press(']')
  await showsToast(other.page, 'Another user changed Valves at the same time')
  await isInStage(other.page, 'Valves', 'Qualification')
  await other.page.keyboard.press(']')
  await showsToast(other.page, 'Valves moved to Proposal')

  assert.equal((await readDeal(acme, id)).stage_key, 'proposal')
})

test('the board is complete after three requests and shows more deals of a stage on request', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme)
  for (let at = 0; at < 23; at++)
    await newDeal(acme, { account_id, name: `Deal ${at}`, amount: euros(String(100 + at)) })
  const { page, origin } = await openSignedIn(acme, acme.member, { path: '/leads' })
  const { paths, waitUntilQuiet } = followRequests(page)
  await waitUntilQuiet()
  paths.length = 0

  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await cardOf(page, 'Deal 22').waitFor()
  await waitUntilQuiet()
  const read = paths.filter((path) => path.startsWith('/api/'))
  await laneOf(page, 'Prospecting').getByRole('button', { name: '3 more' }).click()
  await cardOf(page, 'Deal 0').waitFor()
  await cardOf(page, 'Deal 5').focus()
  await page.keyboard.press(']')
  await showsToast(page, 'Deal 5 moved')
  await cardOf(page, 'Deal 0').waitFor()

  assert.deepEqual(read.sort(), ['/api/enablement/rooms/', '/api/opportunities/board', '/api/opportunities/forecast'])
  assert.deepEqual(await findCutPartsOfWidths(page), [])
  await page.keyboard.press('/')
  await page.keyboard.type('deal 22')
  await page.getByRole('region', { name: 'Prospecting, 1 deal', exact: true }).waitFor()
  assert.equal(await page.locator('h3').count(), 1)
  await page.keyboard.type('00')
  await page.getByRole('heading', { name: 'No deal matches “deal 2200”' }).waitFor()
  assert.deepEqual(await findProblems(page), [])
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await cardOf(page, 'Deal 0').waitFor()
  await page.goto(`${origin}/deals?pipeline=00000000-0000-7000-8000-000000000000`)
  await page.getByRole('heading', { name: 'This pipeline does not exist' }).waitFor()
})

test('a viewer sees the deals of all owners and no action that changes them', async () => {
  const acme = await tenant()
  const { id } = await newDeal(acme, { name: 'Pumps', amount: euros('70') })
  const { page, origin, errors } = await openSignedIn(acme, acme.viewer, { path: '/deals' })
  await cardOf(page, 'Pumps').focus()

  await page.keyboard.press(']')
  await page.keyboard.press('c')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Pumps', exact: true }).waitFor()
  await page.getByText('Created in Prospecting').or(page.getByText('No activity yet')).first().waitFor()
  const actions = page.getByRole('button', {
    name: /New deal|Actions for|Edit|Mark as|Move to|Add contact|Save|More actions/,
  })

  assert.equal(await actions.count(), 0)
  await page.goto(`${origin}/deals/${id}`)
  await page.getByRole('heading', { name: 'Pumps', level: 1 }).waitFor()
  assert.equal(await actions.count(), 0)
  assert.equal((await readDeal(acme, id)).stage_key, 'prospecting')
  assert.deepEqual(errors, [])
})

test('a board without deals offers to create one, and a failed part offers to try again', async () => {
  const acme = await tenant()
  const { page } = await openSignedIn(acme, acme.member, { path: '/deals' })

  await page.getByRole('heading', { name: 'You have no deals here' }).waitFor()
  await page.getByRole('button', { name: 'Show all owners' }).click()
  await page.getByRole('heading', { name: 'No deals yet' }).waitFor()
  await page.getByRole('button', { name: 'Create the first deal' }).waitFor()

  await page
    .context()
    .route('**/api/opportunities/{board,forecast}*', (route) =>
      route.fulfill({ status: 404, json: { code: 'unexpected', request_id: 'abc' } }),
    )
  await page.reload()
  await page.getByRole('heading', { name: 'The board could not be loaded' }).waitFor()
  const forecast = page.locator('section').filter({ hasText: 'The forecast could not be loaded' })
  await forecast.waitFor()
  assert.deepEqual(await findProblems(forecast), [])
  await page.context().unroute('**/api/opportunities/{board,forecast}*')
  await page.getByRole('button', { name: 'Try again' }).last().click()
  await page.getByRole('heading', { name: 'No deals yet' }).waitFor()
})

test('on a phone one stage is shown at a time, and deals are moved by menu', async () => {
  const acme = await tenant()
  await newDeal(acme, { name: 'Lamps', amount: euros('70'), next_step: 'Send the offer' })
  const { page, errors } = await openSignedIn(acme, acme.member, { ...phone, path: '/deals' })
  await cardOf(page, 'Lamps').waitFor()

  await page.getByRole('button', { name: 'Actions for Lamps' }).tap()
  await page.getByRole('menuitem', { name: 'Proposal' }).tap()
  await showsToast(page, 'Lamps moved to Proposal')
  await page
    .getByRole('navigation', { name: 'Stages' })
    .getByRole('button', { name: /^Proposal/ })
    .tap()
  await page.getByRole('heading', { name: 'Lamps' }).tap()
  await page.getByRole('region', { name: 'Lamps', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Edit Next step' }).waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).tap()
  await cardOf(page, 'Lamps').waitFor()
  await page.getByRole('heading', { name: 'Lamps' }).tap()
  await page.getByRole('region', { name: 'Lamps', exact: true }).waitFor()
  await page.goBack()
  await cardOf(page, 'Lamps').waitFor()
  await page.waitForURL(/\/deals$/)

  assert.deepEqual(errors, [])
})
