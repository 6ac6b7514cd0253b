import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { waitUntil } from '#testing'
import { readFocusedName } from './deal-pages.ts'
import { createLead, getLead, panelOf, pressKeys, rowOf, tabTo, waitForParts } from './lead-pages.ts'
import { loseResponse, startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

async function editField(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, `Edit ${label}`)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/** Two users look at the same version of the same lead. */
async function openTwice(name: string) {
  const acme = await tenant()
  const lead = await createLead(acme.member, name, { title: 'Buyer', phone: '+49 30 23125 417' })
  const path = `/leads?view=all&open=${lead.id}&tab=details`
  const mine = await openSignedIn(acme, acme.member, { path })
  const theirs = await openSignedIn(acme, acme.manager, { path })
  for (const { page } of [mine, theirs]) await panelOf(page, name).getByText('First name').waitFor()
  return { acme, lead, mine, theirs }
}

test('two users who edit different fields of one lead lose nothing', async () => {
  const { acme, lead, mine, theirs } = await openTwice('Anna Keller')

  await editField(theirs.page, 'Title', 'Head of Sales')
  await waitUntil(async () => (await getLead(acme.member, lead)).title === 'Head of Sales')
  await editField(mine.page, 'City', 'Berlin')

  await mine.page.getByText('Saved, together with a change by another user.').waitFor()
  const stored = await getLead(acme.member, lead)
  assert.deepEqual([stored.title, stored.city], ['Head of Sales', 'Berlin'])
  await mine.page.getByRole('button', { name: 'Edit Title: Head of Sales' }).waitFor()
  assert.deepEqual([...mine.errors, ...theirs.errors], [])
})

test('two users who edit the same field decide which value stays', async () => {
  const { acme, lead, mine, theirs } = await openTwice('Kenji Tanaka')

  await editField(theirs.page, 'Title', 'Head of Sales')
  await waitUntil(async () => (await getLead(acme.member, lead)).title === 'Head of Sales')
  await editField(mine.page, 'Title', 'VP Sales')

  const question = mine.page.getByRole('alert').filter({ hasText: 'One field differs.' })
  await question.getByText('Head of Sales').waitFor()
  assert.equal((await getLead(acme.member, lead)).title, 'Head of Sales')
  await editField(mine.page, 'City', 'Kyoto')
  await waitUntil(async () => (await getLead(acme.member, lead)).city === 'Kyoto')
  await question.getByText('VP Sales').waitFor()
  const [bar, panel] = await Promise.all([question.boundingBox(), panelOf(mine.page, 'Kenji Tanaka').boundingBox()])
  assert.ok(bar!.y >= panel!.y, 'The question is scrolled out of view.')
  await question.getByRole('button', { name: 'Save mine' }).focus()
  await mine.page.keyboard.press('Enter')
  await waitUntil(async () => (await getLead(acme.member, lead)).title === 'VP Sales')

  await editField(theirs.page, 'Title', 'Buyer in chief')
  const theirQuestion = theirs.page.getByRole('alert').filter({ hasText: 'One field differs.' })
  await theirQuestion.getByRole('button', { name: 'Take theirs' }).focus()
  await theirs.page.keyboard.press('Enter')
  await theirs.page.getByRole('button', { name: 'Edit Title: VP Sales' }).waitFor()
  assert.equal((await getLead(acme.member, lead)).title, 'VP Sales')
})

test('an edit without a connection waits, also while another lead is open, and is saved later', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'Omar Hassan', { status: 'working' })
  await createLead(acme.member, 'Ingrid Larsen')
  const { page, context, errors } = await openSignedIn(acme, acme.member, { path: '/leads' })
  await waitForParts(page)
  await rowOf(page, 'Omar Hassan').click()
  await panelOf(page, 'Omar Hassan').getByRole('tab', { name: 'Details' }).click()
  await panelOf(page, 'Omar Hassan').getByText('First name').waitFor()

  await context.setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await editField(page, 'Title', 'COO')
  await panelOf(page, 'Omar Hassan').getByText('Not saved yet').first().waitFor()
  await page.getByRole('button', { name: 'Close' }).first().focus()
  await page.keyboard.press('Enter')
  await rowOf(page, 'Omar Hassan').click()
  await panelOf(page, 'Omar Hassan').getByText('Not saved yet').first().waitFor()
  assert.equal((await getLead(acme.member, lead)).title, null)

  await context.setOffline(false)
  await waitUntil(async () => (await getLead(acme.member, lead)).title === 'COO')
  await panelOf(page, 'Omar Hassan').getByText('Not saved yet').first().waitFor({ state: 'hidden' })
  assert.deepEqual(errors, [])
})

test('a note without a connection is saved once, when the connection is back', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'Marco Bianchi')
  const { page, context } = await openSignedIn(acme, acme.member, { path: `/leads?open=${lead.id}` })
  const panel = panelOf(page, 'Marco Bianchi')
  await panel.getByText('Why this score').waitFor()
  await panel.getByRole('list').last().waitFor()

  await context.setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await page.keyboard.press('n')
  await page.keyboard.type('Wants a second demo.')
  await page.keyboard.press('Control+Enter')
  await panel.getByText('Not saved yet').first().waitFor()
  await pressKeys(page, 'n', 'Control+Enter')
  await context.setOffline(false)

  await panel.getByRole('listitem').filter({ hasText: 'Wants a second demo.' }).waitFor()
  const { body } = await acme.member.get(`/api/leads/${lead.id}/activities?type=note`)
  assert.equal(body.items.length, 1)
})

test('a note whose response is lost is written once, and what is typed while it is saved stays', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'Lukas Vogel')
  const { page } = await openSignedIn(acme, acme.member, { path: `/leads?open=${lead.id}` })
  const panel = panelOf(page, 'Lukas Vogel')
  const field = panel.getByRole('textbox', { name: 'Write a note' })
  await field.waitFor()
  await loseResponse(page)
  await field.fill('Wants an offer.')
  await field.press('Control+Enter')
  await page.getByText('The server could not be reached.').waitFor()
  assert.equal(await field.inputValue(), 'Wants an offer.')
  const answers: (() => void)[] = []
  await page.route('**/activities', async (route) => {
    if (route.request().method() === 'POST') await new Promise<void>((resolve) => answers.push(resolve))
    await route.continue()
  })
  await field.press('Control+Enter')
  await waitUntil(async () => answers.length === 1 && (await field.inputValue()) === '')
  await field.fill('Call again on Monday.')
  answers[0]!()
  await page.getByText('Note saved.').waitFor()

  assert.equal(await field.inputValue(), 'Call again on Monday.')
  const { body } = await acme.member.get(`/api/leads/${lead.id}/activities?type=note`)
  assert.deepEqual(
    body.items.map((note: { body: string }) => note.body),
    ['Wants an offer.'],
  )
})

test('a value that is not valid stays in its open field with the label of the field, until the user changes it', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'Greta Holm', { employee_count: 40 })
  const path = `/leads?view=all&open=${lead.id}&tab=details`
  const { page, errors } = await openSignedIn(acme, acme.member, { path })
  await panelOf(page, 'Greta Holm').getByText('First name').waitFor()

  await editField(page, 'Employees', '-5')
  const message = page.getByText('Employees must be 0 or more.')
  await message.waitFor()
  const field = page.getByRole('spinbutton', { name: 'Employees' })
  assert.equal(await field.inputValue(), '-5')
  assert.equal(await readFocusedName(page), 'Employees')
  await pressKeys(page, 'Control+a', '5')
  await message.waitFor({ state: 'hidden' })
  await pressKeys(page, '0', 'Enter')
  await page.getByRole('button', { name: 'Edit Employees: 50' }).waitFor()

  await editField(page, 'Email', 'greta at holm')
  await page.getByText('Email must be a valid email address.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit Email: greta.holm@holm.example' }).waitFor()

  await tabTo(page, 'Edit Country')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Country' }).selectOption('Kenya')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Edit Country: Kenya' }).waitFor()
  await waitUntil(async () => (await getLead(acme.member, lead)).country === 'KE')
  const stored = await getLead(acme.member, lead)
  assert.deepEqual([stored.employee_count, stored.email], [50, 'greta.holm@holm.example'])
  assert.deepEqual(errors, [])
})

test('a lead that was merged leads to the one that it is a part of, and a deleted one is restored', async () => {
  const acme = await tenant()
  const kept = await createLead(acme.manager, 'Ananya Iyer')
  const merged = await createLead(acme.manager, 'Thomas Clarke')
  const deleted = await createLead(acme.manager, 'Fatima Rahman')
  await acme.manager.post(`/api/leads/${kept.id}/merge`, { duplicate_ids: [merged.id] })
  await acme.manager.delete(`/api/leads/${deleted.id}`)

  const { page, origin } = await openSignedIn(acme, acme.manager, { path: `/leads?open=${merged.id}` })
  await panelOf(page, 'Ananya Iyer').waitFor()
  await page.getByText('The lead was merged.').waitFor()
  await page.goto(`${origin}/leads/${deleted.id}`)
  await page.getByRole('heading', { name: 'This lead does not exist' }).waitFor()
  await page.getByRole('button', { name: 'Restore' }).focus()
  await page.keyboard.press('Enter')

  await panelOf(page, 'Fatima Rahman').waitFor()
  assert.equal((await getLead(acme.manager, deleted)).deleted_at, null)
})

test('own views and columns are those of the user in every tab, and none is lost', async () => {
  const acme = await tenant()
  await createLead(acme.member, 'Anna Keller')
  const key = `views:leads:${acme.member.userId}`
  const earlier = JSON.stringify([{ name: 'Webinar', search: { view: 'all', source: 'webinar' } }])
  const open = () => openSignedIn(acme, acme.member, { path: '/leads?view=all' })
  const { page: one } = await openSignedIn(acme, acme.member, { path: '/nowhere' })
  await one.evaluate(`localStorage.setItem('${key}', '${earlier}')`)
  await one.goto(`${new URL(one.url()).origin}/leads?view=all`)
  const viewOf = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
  const saveView = async (page: Page, name: string) => {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Save view' }).press('Enter')
    await page.getByRole('dialog', { name: 'Save this view' }).waitFor()
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
  }

  await viewOf(one, 'Webinar').waitFor()
  await waitUntil(async () => (await one.evaluate(`localStorage.getItem('${key}')`)) === null)
  const { page: other } = await open()
  await viewOf(other, 'Webinar').waitFor()
  await one.getByRole('button', { name: 'Display' }).press('Enter')
  await one.getByRole('menuitemcheckbox', { name: 'Owner' }).press('Enter')
  await one.keyboard.press('Escape')
  await one.getByRole('columnheader', { name: 'Owner' }).waitFor()
  await saveView(one, 'First')
  await viewOf(one, 'First').waitFor()
  await saveView(other, 'Second')
  await viewOf(other, 'Second').waitFor()
  await viewOf(other, 'First').waitFor()
  await loseResponse(other)
  await saveView(other, 'Third')
  const dialog = other.getByRole('dialog', { name: 'Save this view' })
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Save view' }).press('Enter')
  await viewOf(other, 'Third').waitFor()

  const { body } = await acme.member.get('/api/auth/preferences')
  assert.deepEqual(
    body.lists.leads.views.map(({ name }: { name: string }) => name),
    ['Webinar', 'First', 'Second', 'Third'],
  )
  assert.ok(body.lists.leads.columns.includes('owner'))
  await other.reload()
  await other.getByRole('columnheader', { name: 'Owner' }).waitFor()
})
