import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findOverflowingWidths, findPageProblems } from './check-page.ts'
import { phone, startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('a viewer sees people and no action that changes them', async () => {
  const acme = await tenant()
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
  assert.deepEqual(await findPageProblems(page), [])
  assert.deepEqual(errors, [])
})

test('filters, search and the open person stay after a reload', async () => {
  const acme = await tenant()
  const { page } = await openSignedIn(acme, acme.admin, { path: '/people' })
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
  const acme = await tenant()
  const { page } = await openSignedIn(acme, acme.admin, { path: '/people?q=zebra&status=deactivated' })

  await page.getByText('No person matches').waitFor()
  const problems = await findPageProblems(page)
  await page.getByRole('button', { name: 'Remove the filter Search' }).click()
  await page.getByRole('button', { name: 'Remove the filter Status' }).click()
  await rowOf(page, acme.viewer.name).waitFor()

  assert.deepEqual(problems, [])
  assert.equal(new URL(page.url()).search, '')
})

test('the keys of the list move from person to person, also in the panel', async () => {
  const acme = await tenant()
  const { page } = await openSignedIn(acme, acme.admin, { path: '/people' })
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
})

test('a value that another admin changed in between is not overwritten', async () => {
  const acme = await tenant()
  const { page } = await openSignedIn(acme, acme.admin, { path: `/people?open=${acme.member.userId}` })
  const title = page.getByRole('button', { name: /^Edit Title/ })
  await title.waitFor()
  await acme.admin.patch(`/api/users/${acme.member.userId}`, { title: 'Account Executive' })

  await title.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Sales Lead')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'Account Executive theirs' }).waitFor()
  const problems = await findPageProblems(page)
  const { body: kept } = await acme.admin.get(`/api/users/${acme.member.userId}`)
  await page.getByRole('button', { name: 'Save mine' }).click()
  await page.getByRole('button', { name: 'Edit Title: Sales Lead' }).waitFor()
  await page.getByRole('alert').waitFor({ state: 'detached' })

  assert.equal(kept.title, 'Account Executive')
  assert.deepEqual(problems, [])
})

test('a person who does not exist is reported in the panel only', async () => {
  const acme = await tenant()
  const { page } = await openSignedIn(acme, acme.admin, {
    path: '/people?open=019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12',
  })

  await page.getByText('This person does not exist').waitFor()
  await rowOf(page, acme.admin.name).waitFor()

  assert.deepEqual(await findPageProblems(page), [])
})

test('the list and a person fit on every screen', async () => {
  const acme = await tenant()
  const desk = await openSignedIn(acme, acme.admin, { path: '/people' })
  await rowOf(desk.page, acme.admin.name).waitFor()
  const problems = await findPageProblems(desk.page)
  const list = await findOverflowingWidths(desk.page)
  await rowOf(desk.page, acme.member.name).click()
  await desk.page.getByRole('region', { name: acme.member.name }).waitFor()
  const withPanel = await findOverflowingWidths(desk.page)
  const small = await openSignedIn(acme, acme.admin, { ...phone, path: '/people' })
  await rowOf(small.page, acme.member.name).tap()
  await small.page.getByRole('region', { name: acme.member.name }).getByText('Last sign-in').waitFor()
  problems.push(...(await findPageProblems(small.page)))

  assert.deepEqual([...list, ...withPanel], [])
  assert.deepEqual(problems, [])
  assert.deepEqual([...desk.errors, ...small.errors], [])
})
