import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '#testing'
import { activeRow, createLead, getLead, panelOf, pressKeys, rowOf, waitForRows } from './lead-pages.ts'
import { startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

test('keys act on the row that is shown as active, also after other leads arrive', async () => {
  const acme = await tenant()
  const anna = await createLead(acme.manager, 'Anna Keller')
  await createLead(acme.manager, 'Kenji Tanaka')
  const { page, errors, origin } = await openSignedIn(acme, acme.manager, { path: '/settings' })
  const actions = Promise.withResolvers<void>()
  await page.route('**/assets/bulk-actions-*.js', (route) => actions.promise.then(() => route.continue()))
  await page.goto(`${origin}/leads?view=all&sort=-created_at`)
  await waitForRows(page)
  await pressKeys(page, '?')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await shortcuts.waitFor()
  for (const name of ['Log a call', 'Assign', 'Last row']) await shortcuts.getByText(name).first().waitFor()
  await pressKeys(page, 'Space', 'Escape', 'End')
  assert.match(await activeRow(page), /Anna Keller/)

  await createLead(acme.manager, 'Omar Hassan')
  const found = Promise.withResolvers<void>()
  await page.route(/\/api\/users\/\?.*search=/, (route) => found.promise.then(() => route.continue()))
  await pressKeys(page, 'x', 'a')
  actions.resolve()
  const dialog = page.getByRole('dialog', { name: 'Assign 1 lead to' })
  await dialog.getByRole('option', { name: acme.admin.name }).waitFor()
  await page.keyboard.type(acme.member.name)
  await pressKeys(page, 'ArrowDown', 'Enter')
  assert.ok(await dialog.isVisible())
  found.resolve()
  await rowOf(page, 'Omar Hassan').waitFor()
  await page.getByRole('region', { name: 'Selected leads' }).waitFor({ state: 'detached' })
  assert.match(await activeRow(page), /Anna Keller/)
  await page.keyboard.press('3')
  await rowOf(page, 'Anna Keller').getByText('Working').waitFor()

  await page.keyboard.press('Enter')
  await panelOf(page, 'Anna Keller').getByText('Why this score').waitFor()
  await panelOf(page, 'Anna Keller').getByRole('tab', { name: 'Details' }).focus()
  await page.keyboard.press('Escape')
  await panelOf(page, 'Anna Keller').waitFor({ state: 'detached' })
  await waitUntil(async () => (await page.evaluate("document.activeElement.getAttribute('role')")) === 'grid')
  await pressKeys(page, 'g', 'd')
  await page.getByRole('heading', { name: 'Deals', level: 1 }).waitFor()
  await waitUntil(async () => (await page.evaluate('document.activeElement.textContent')) === 'Deals')

  await waitUntil(async () => (await getLead(acme.manager, anna)).status === 'working')
  const { owner } = await getLead(acme.manager, anna)
  assert.equal((owner as { name: string }).name, acme.member.name)
  assert.deepEqual(errors, [])
})
