import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAccessibilityProblems } from '../pages/accessibility.ts'
import { findCutPartsOfWidths, findProblems } from './check-page.ts'
import { followRequests } from './deal-pages.ts'
import { waitForParts, waitForRows } from './lead-pages.ts'
import { findCutParts } from './page-layout.ts'
import { phone, startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

const createLead = (user: Awaited<ReturnType<typeof tenant>>['member'], name: string, company: string) => {
  const [first_name, last_name] = name.split(' ')
  const email = `${first_name}.${last_name}@${company.replaceAll(' ', '')}.example`.toLowerCase()
  return user.post('/api/leads/', { first_name, last_name, company, email })
}

test('a user who signs in sees the application, also on a phone', async () => {
  const acme = await tenant()

  const desk = await openSignedIn(acme, acme.member, { path: '/leads', withPassword: true })
  const small = await openSignedIn(acme, acme.member, { ...phone, path: '/leads', withPassword: true })

  for (const { page, errors } of [desk, small]) {
    await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
    assert.deepEqual(await findCutParts(page), [])
    assert.deepEqual(errors, [])
  }
  assert.deepEqual(await findAccessibilityProblems(small.page), [])

  const reported = desk.page.waitForResponse('**/api/client-errors')
  await desk.page.evaluate(`for (let count = 0; count < 3; count++)
    setTimeout(() => { throw new TypeError("Cannot read 'Anna Keller'") })`)
  const report = await reported
  assert.deepEqual(
    [report.status(), report.request().postDataJSON()],
    [204, { kind: 'error', name: 'TypeError', message: 'Cannot read …', page: '/leads', frames: [] }],
  )
  assert.equal(desk.postedPaths.filter((path) => path === '/api/client-errors').length, 1)
})

test('without a connection and in maintenance a banner is shown, and the data stays readable', async () => {
  const acme = await tenant()
  await createLead(acme.member, 'Anna Keller', 'Meridian Logistics')
  const { page, context, errors } = await openSignedIn(acme, acme.member, { path: '/leads?view=all' })
  const banner = (text: RegExp) => page.getByRole('status').filter({ hasText: text })
  const row = page.getByRole('row').filter({ hasText: 'Anna Keller' })
  await waitForRows(page)
  await waitForParts(page)

  await context.setOffline(true)
  await banner(/offline/i).waitFor()
  assert.deepEqual(await findProblems(banner(/offline/i)), [])
  assert.deepEqual(await findCutPartsOfWidths(page), [])
  await row.waitFor()
  await context.setOffline(false)
  await banner(/offline/i).waitFor({ state: 'detached' })

  const problem = { status: 409, code: 'tenant_in_maintenance', title: 'Maintenance' }
  await context.route('**/api/leads/*', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 409, json: problem }) : route.fallback(),
  )
  await row.click()
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByRole('button', { name: 'Edit Title' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('CTO')
  await page.keyboard.press('Enter')
  await banner(/is in maintenance/i)
    .first()
    .waitFor()
  assert.deepEqual(await findProblems(banner(/maintenance/i).first()), [])
  assert.deepEqual(errors, [])
})

test('a banner says that the server cannot be reached, after two requests without a response and until the next response', async () => {
  const acme = await tenant()
  await createLead(acme.member, 'Anna Keller', 'Meridian Logistics')
  const { page } = await openSignedIn(acme, acme.member, { path: '/leads?view=all' })
  const { waitUntilQuiet } = followRequests(page)
  const banner = page.getByRole('status').filter({ hasText: 'The server cannot be reached.' })
  await waitForRows(page)
  await waitForParts(page)
  const row = page.getByRole('row').filter({ hasText: 'Anna Keller' })
  await row.click()
  const panel = page.getByRole('region', { name: 'Anna Keller', exact: true })
  await panel.getByRole('textbox', { name: 'Write a note' }).fill('Wants an offer.')
  await waitUntilQuiet()
  await page.route('**/api/**', (route) => route.abort())

  await page.keyboard.press('Control+Enter')
  const retry = page.getByRole('button', { name: 'Try again' })
  await page.getByText('The server could not be reached. Check your connection.').waitFor()
  assert.equal(await banner.count(), 0)
  await retry.focus()
  await page.keyboard.press('Enter')
  await banner.waitFor()
  assert.deepEqual(await findProblems(banner), [])
  await row.waitFor()

  await page.unroute('**/api/**')
  await retry.focus()
  await page.keyboard.press('Enter')
  await page.getByText('Note saved.').waitFor()
  await banner.waitFor({ state: 'detached' })
})

test('the command menu finds records and commands by keyboard', async () => {
  const acme = await tenant()
  await createLead(acme.member, 'Anna Keller', 'Meridian Logistics')
  await createLead(acme.member, 'Kenji Tanaka', 'Kestrel Components')
  await acme.member.post('/api/contacts/', { last_name: 'Merino' })
  const { page, errors, context } = await openSignedIn(acme, acme.member)

  await page.keyboard.press('Control+k')
  const input = page.getByRole('combobox', { name: 'Search or jump to' })
  await input.waitFor()
  const options = page.getByRole('option')
  await options.filter({ hasText: 'Go to Leads' }).waitFor()
  const menu = page.getByRole('dialog')
  assert.deepEqual(await findAccessibilityProblems(menu), [])
  await page.keyboard.type('mer')
  const anna = options.filter({ hasText: 'Anna Keller' })
  await anna.waitFor()
  await options.filter({ hasText: 'Merino' }).waitFor()
  assert.equal(await options.count(), 2)
  assert.equal(await anna.locator('mark').textContent(), 'Mer')
  await page.keyboard.type('idian')
  await options.filter({ hasText: 'Merino' }).waitFor({ state: 'detached' })
  await anna.waitFor()
  assert.deepEqual(await findAccessibilityProblems(menu), [])

  const [tab] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Control+Enter')])
  await tab.waitForURL(/\/leads\/[\da-f-]{36}/)
  await tab.close()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/leads\/[\da-f-]{36}/)
  assert.equal(await input.count(), 0)

  await page.keyboard.press('Control+k')
  await page.getByText('Recently opened').waitFor()
  await anna.waitFor()
  await page.keyboard.type('go home')
  await options.filter({ hasText: 'Go to Home' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/')
  assert.deepEqual(errors, [])
})

test('the command menu says that nothing was found, and closes with Escape', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.viewer, { ...phone, path: '/leads' })
  const button = page.getByRole('button', { name: 'Search' })

  await button.click()
  await page.getByRole('combobox').fill('no such record')
  await page.getByText('No record or command contains “no such record”.').waitFor()
  assert.deepEqual(await findAccessibilityProblems(page.getByRole('dialog')), [])
  assert.deepEqual(await findCutParts(page), [])
  await page.keyboard.press('Escape')

  assert.equal(await page.getByRole('combobox').count(), 0)
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Search')
  assert.deepEqual(errors, [])
})

test('all shortcuts of a page are listed, and those of one key can be switched off', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.member, { path: '/leads' })
  await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()

  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.waitFor()
  await dialog.getByText('g then d').waitFor({ state: 'attached' })
  await dialog.getByText('j or ArrowDown').waitFor({ state: 'attached' })
  assert.deepEqual(await findAccessibilityProblems(dialog), [])
  await dialog.getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.keyboard.press('?')
  assert.equal(await dialog.count(), 0)
  assert.equal(new URL(page.url()).pathname, '/leads')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('show key')
  await page.getByRole('option').filter({ hasText: 'Go to Home' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  await dialog.getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.waitForURL((url) => url.pathname === '/')
  assert.deepEqual(errors, [])
})
