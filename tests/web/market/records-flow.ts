import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { waitUntil } from '#testing'
import { savePictures } from '../../pages/screenshots.ts'
import { findProblems, listNewRequests } from '../check-page.ts'
import { createKeyboard } from '../keyboard/keyboard.ts'
import { createLead } from '../lead-pages.ts'
import type { Workspace } from '../web-pages.ts'

const task = 'Send the contract <b>today</b>'

/** A lead that became a contact with an account and a deal, and a second contact who is the same person. */
export async function createConvertedLead({ manager }: Workspace) {
  const post = async (path: string, body: object) => {
    const response = await manager.post(path, body)
    assert.ok([200, 201].includes(response.status), JSON.stringify(response.body))
    return response.body
  }
  const lead = await createLead(manager, 'James Porter', { company: 'Windmill & Sons' })
  const { contact, account } = await post(`/api/leads/${lead.id}/convert`, {
    create_opportunity: true,
    opportunity: { name: 'Turbines', close_on: '2031-03-04', amount: { amount: '12000', currency: 'EUR' } },
  })
  const person = { first_name: 'James', last_name: 'Porter', account_id: account.id, phone: '+44 20 7946 0018' }
  const other = await post('/api/contacts/', { ...person, email: 'j.porter@windmill.example' })
  return { lead: lead.id, contact: contact.id as string, account: account.id as string, other: other.id as string }
}

type Records = Awaited<ReturnType<typeof createConvertedLead>>

/** The task is done, and the contact has the phone number of the one that was merged into it. */
export async function checkMerged({ manager }: Workspace, { contact, account, other }: Records): Promise<void> {
  const { items } = (await manager.get(`/api/accounts/${account}/activities`)).body
  const done = items.find(({ type }: { type: string }) => type === 'task')
  assert.equal(done.body ?? done.subject, task)
  assert.notEqual(done.completed_at, null)
  await waitUntil(async () => (await manager.get(`/api/contacts/${other}`)).status === 404)
  assert.equal((await manager.get(`/api/contacts/${contact}`)).body.phone, '+44 20 7946 0018')
}

/** The requests of each screen, without those that are read once in a session. */
const requestsOfScreens = {
  contact: ['GET /api/contacts/…', 'GET /api/contacts/…/activities', 'GET /api/contacts/…/opportunities'],
  account: ['GET /api/accounts/…', 'GET /api/accounts/…/contacts', 'GET /api/accounts/…/opportunities'],
  accounts: ['GET /api/accounts/'],
  contacts: ['GET /api/contacts/'],
}

/** Fails if a screen sends another request than its own, or one of them twice. What it knows already it need not read. */
async function checkRequests(page: Page, screen: keyof typeof requestsOfScreens, show: () => Promise<void>) {
  const sent = (await listNewRequests(page, show)).map((path) => path.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '…'))
  assert.ok(sent.length > 0, screen)
  assert.deepEqual(
    sent.filter((request, at) => sent.indexOf(request) !== at || !requestsOfScreens[screen].includes(request)),
    [],
    screen,
  )
}

/** Waits for the page of a record of the area. */
const isPage = (page: Page, area: string) =>
  waitUntil(() => Promise.resolve(new URL(page.url()).pathname.startsWith(`/${area}/`)))
const parts = (page: Page) => page.getByRole('main')
const dealOf = (page: Page) => parts(page).getByRole('link', { name: 'Turbines' }).waitFor()

export async function followByKeyboard(page: Page): Promise<void> {
  const { press, see, use, type, focus } = createKeyboard(page)

  await see('Converted')
  await checkRequests(page, 'contact', async () => {
    await use('James Porter')
    await isPage(page, 'contacts')
    await dealOf(page)
  })
  await checkRequests(page, 'account', async () => {
    await use('Windmill & Sons')
    await isPage(page, 'accounts')
    await dealOf(page)
    await parts(page).getByRole('link', { name: 'James Porter' }).first().waitFor()
  })
  assert.deepEqual(await findProblems(page), [])
  await savePictures(page, 'market/account')
  await press('t')
  await waitUntil(async () => (await page.evaluate('document.activeElement.tagName')) === 'TEXTAREA')
  await type(task)
  await press('Control+Enter')
  await see('Task created.')
  await parts(page).getByRole('listitem').filter({ hasText: task }).getByRole('button', { name: 'Done' }).focus()
  await press('Enter')
  await parts(page).getByRole('button', { name: 'Open again' }).waitFor()

  await checkRequests(page, 'accounts', async () => {
    await press('g', 'a')
    await see('€12,000')
  })
  await savePictures(page, 'market/accounts')
  await checkRequests(page, 'contacts', async () => {
    await press('g', 'c')
    await page.getByRole('grid').getByText('j.porter@windmill.example').waitFor()
  })
  await press('g', 'a')
  await see('€12,000')
  await press('Enter')
  await isPage(page, 'accounts')
  await parts(page).getByRole('link', { name: 'James Porter', exact: true }).last().focus()
  await press('Enter')
  await isPage(page, 'contacts')
  await focus('Activity')
  const duplicates = page.getByRole('tab', { name: 'Duplicates' })
  for (let presses = 0; presses < 8 && (await duplicates.getAttribute('aria-selected')) !== 'true'; presses++)
    await press('ArrowRight')
  await use('Merge with James Porter')
  await see('What happens')
  await press('Control+Enter')
  await page.getByRole('dialog', { name: 'Merge these records?' }).waitFor()
  await focus('Merge')
  await press('Enter')
  await see('Both are one record now: James Porter.')
}

export async function followByTouch(page: Page): Promise<void> {
  const tap = (role: 'link' | 'button' | 'tab' | 'radio', name: string) =>
    page.getByRole(role, { name }).filter({ visible: true }).first().tap()
  const openList = async (name: string) => {
    await tap('button', 'Menu')
    await page.getByRole('dialog').getByRole('link', { name }).tap()
  }

  await parts(page).getByText('Converted').first().waitFor()
  await checkRequests(page, 'contact', async () => {
    await tap('link', 'James Porter')
    await isPage(page, 'contacts')
    await dealOf(page)
  })
  await checkRequests(page, 'account', async () => {
    await tap('link', 'Windmill & Sons')
    await isPage(page, 'accounts')
    await dealOf(page)
    await parts(page).getByRole('link', { name: 'James Porter' }).first().waitFor()
  })
  assert.deepEqual(await findProblems(page), [])
  await savePictures(page, 'market/account')
  await tap('tab', 'Activity')
  await parts(page).getByText('Task', { exact: true }).first().tap()
  await parts(page).getByPlaceholder('What is to be done?').fill(task)
  await tap('button', 'Save')
  await page.getByText('Task created.').waitFor()
  await parts(page).getByRole('listitem').filter({ hasText: task }).getByRole('button', { name: 'Done' }).tap()
  await parts(page).getByRole('button', { name: 'Open again' }).waitFor()

  await checkRequests(page, 'accounts', async () => {
    await openList('Accounts')
    await parts(page).getByText('€12,000').waitFor()
  })
  await savePictures(page, 'market/accounts')
  await checkRequests(page, 'contacts', async () => {
    await openList('Contacts')
    await parts(page).getByText('James Porter').nth(1).waitFor()
  })
  await openList('Accounts')
  await parts(page).getByText('Windmill & Sons').first().tap()
  await isPage(page, 'accounts')
  await parts(page).getByRole('link', { name: 'James Porter', exact: true }).last().tap()
  await isPage(page, 'contacts')
  await tap('tab', 'Duplicates')
  await tap('link', 'Merge with James Porter')
  await page.getByText('What happens').waitFor()
  await parts(page).getByRole('button', { name: 'Merge', exact: true }).tap()
  await page.getByRole('dialog', { name: 'Merge these records?' }).getByRole('button', { name: 'Merge' }).tap()
  await page.getByText('Both are one record now: James Porter.').waitFor()
}
