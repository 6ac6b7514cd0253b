import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findProblems } from './check-page.ts'
import { startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()
const acme = await tenant()
// The tests of the admin continue in one page. Only one of them changes a person.
const { page, origin } = await openSignedIn(acme, acme.admin, { path: '/people' })
const open = (path: string) => page.goto(origin + path)

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('a viewer sees people and no action that changes them', async () => {
  const { page, errors } = await openSignedIn(acme, acme.viewer, { path: `/people?open=${acme.member.userId}` })
  const panel = page.getByRole('region', { name: acme.member.name })

  await panel.getByText(acme.member.email).first().waitFor()
  await rowOf(page, acme.admin.name).waitFor()
  await page.keyboard.press('c')
  await page.keyboard.press('r')
  const names = await page.locator('main').getByRole('button').allTextContents()
  const labels = await page
    .locator('main button[aria-label]')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')))

  assert.deepEqual(names.filter(Boolean), ['Name', '? all shortcuts'])
  assert.deepEqual(labels, ['Previous record', 'Next record', 'Copy link', 'Close'])
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(await panel.getByText('Last sign-in').count(), 0)
  assert.deepEqual(errors, [])
})

test('filters, search and the open person stay after a reload', async () => {
  await open('/people')
  await rowOf(page, acme.admin.name).waitFor()

  await page.keyboard.press('/')
  await page.keyboard.type(acme.member.name)
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Member')
  await page.getByText('1 person').waitFor()
  await page.getByRole('grid').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: acme.member.name }).waitFor()
  await page.reload()
  await page.getByRole('region', { name: acme.member.name }).waitFor()
  const search = new URL(page.url()).searchParams
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: acme.member.name }).waitFor({ state: 'detached' })

  assert.deepEqual(Object.fromEntries(search), { q: acme.member.name, role: 'member', open: acme.member.userId })
  assert.equal(await page.getByRole('searchbox', { name: 'Search people' }).inputValue(), acme.member.name)
})

test('filters that leave no person can be removed one by one', async () => {
  await open('/people?q=zebra&status=deactivated')

  await page.getByText('No person matches').waitFor()
  await page.getByRole('button', { name: 'Remove the filter Search' }).click()
  await page.getByRole('button', { name: 'Remove the filter Status' }).click()
  await rowOf(page, acme.viewer.name).waitFor()

  assert.equal(new URL(page.url()).search, '')
})

test('the keys of the list move from person to person, also in the panel', async () => {
  await open('/people')
  const names = [acme.admin, acme.manager, acme.member, acme.viewer].map(({ name }) => name).sort()
  await rowOf(page, names[3]!).waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: names[1]! }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('region', { name: names[2]! }).getByText('3 of 4').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: names[2]! }).waitFor({ state: 'detached' })

  assert.equal(await page.evaluate("document.activeElement.getAttribute('role')"), 'grid')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: names[0]! }).getByText('1 of 4').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: names[0]! }).waitFor({ state: 'detached' })
  await page.getByRole('grid').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(/sort=-name/)
})

test('a value that another admin changed in between is not overwritten', async () => {
  await open(`/people?open=${acme.member.userId}`)
  const title = page.getByRole('button', { name: /^Edit Title/ })
  await title.waitFor()
  await acme.admin.patch(`/api/users/${acme.member.userId}`, { title: 'Account Executive' })

  await title.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Sales Lead')
  await page.keyboard.press('Enter')
  const conflict = page.getByRole('alert').filter({ hasText: 'Account Executive theirs' })
  await conflict.waitFor()
  const problems = await findProblems(conflict)
  const { body: kept } = await acme.admin.get(`/api/users/${acme.member.userId}`)
  await page.getByRole('button', { name: 'Save mine' }).click()
  await page.getByRole('button', { name: 'Edit Title: Sales Lead' }).waitFor()
  await page.getByRole('alert').waitFor({ state: 'detached' })

  assert.equal(kept.title, 'Account Executive')
  assert.deepEqual(problems, [])
})

test('a person who does not exist is reported in the panel only', async () => {
  await open('/people?open=019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12')

  await page.getByText('This person does not exist').waitFor()
  await rowOf(page, acme.admin.name).waitFor()
})
