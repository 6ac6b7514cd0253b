import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { waitUntil } from '#testing'
import { activeRow, createLead, getLead, isRowInView, panelOf, pressKeys, rowOf, waitForRows } from './lead-pages.ts'
import { startWeb, type Workspace } from './web-pages.ts'

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

const nameAt = (at: number) => `Lead ${String(at).padStart(3, '0')}`

async function createManyLeads(acme: Workspace, count: number): Promise<string[]> {
  const { rows } = await acme.sql(
    `insert into crm.leads (id, tenant_id, last_name, name_key, search_text, source, owner_id, created_on)
     select gen_random_uuid(), $1, 'Lead ' || lpad(n::text, 3, '0'), 'lead ' || lpad(n::text, 3, '0'), 'lead', 'website', $2, now()
     from generate_series(1, $3::int) n returning id, last_name`,
    [acme.id, acme.manager.userId, count],
  )
  return rows.sort((one, other) => (one.last_name < other.last_name ? -1 : 1)).map(({ id }) => id)
}

const scrollOf = (page: Page): Promise<number> =>
  page.evaluate("Math.round(document.querySelector('[role=grid]').scrollTop)")

test('Back, Escape, a link and a reload show the list where it was, at the row that was active', async () => {
  const acme = await tenant()
  const ids = await createManyLeads(acme, 200)
  const { page, errors } = await openSignedIn(acme, acme.manager, { path: '/leads?view=all&sort=name' })
  await waitForRows(page)
  await pressKeys(page, 'End')
  await waitUntil(async () => (await activeRow(page)).includes(nameAt(200)))
  for (let row = 0; row < 40; row++) await page.keyboard.press('k')
  await waitUntil(async () => (await activeRow(page)).includes(nameAt(160)))
  const scrolled = await scrollOf(page)
  assert.ok(scrolled > 3_000)

  await pressKeys(page, 'Shift+Enter')
  await panelOf(page, nameAt(160)).getByText('160 of 200').waitFor()
  await page.goBack()
  await waitUntil(async () => (await activeRow(page)).includes(nameAt(160)))
  assert.equal(await scrollOf(page), scrolled)

  await pressKeys(page, 'Shift+Enter')
  await panelOf(page, nameAt(160)).getByText('160 of 200').waitFor()
  await page.keyboard.press('j')
  await panelOf(page, nameAt(161)).getByText('161 of 200').waitFor()
  await panelOf(page, nameAt(161)).getByRole('button', { name: 'Next record' }).click()
  await panelOf(page, nameAt(162)).getByText('162 of 200').waitFor()
  await page.keyboard.press('Escape')
  await waitUntil(async () => (await activeRow(page)).includes(nameAt(162)))
  assert.ok(await isRowInView(page, nameAt(162)))

  const left = await scrollOf(page)
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('heading', { level: 1, name: /^Good/ }).waitFor()
  await navigation.getByRole('link', { name: 'Leads' }).click()
  await waitUntil(async () => (await activeRow(page)).includes(nameAt(162)))
  assert.equal(await scrollOf(page), left)

  await waitUntil(() => page.evaluate('history.state.listPlace?.active.index === 161'))
  await acme.manager.delete(`/api/leads/${ids[161]}`)
  await page.reload()
  await waitUntil(async () => (await activeRow(page)).includes(nameAt(163)))
  assert.equal(await scrollOf(page), left)
  await page.getByText('162 of 199').waitFor()
  assert.deepEqual(errors, [])
})

test('the page of a lead has its fields beside the history, and one column on a narrow screen', async () => {
  const acme = await tenant()
  await createLead(acme.manager, 'Anna Keller', { website: 'keller.example', title: 'Head of sales' })
  const { page, errors } = await openSignedIn(acme, acme.manager, {
    path: '/leads',
    viewport: { width: 1440, height: 900 },
  })
  await waitForRows(page)
  await pressKeys(page, 'Shift+Enter')
  const panel = panelOf(page, 'Anna Keller')
  const field = panel.getByRole('button', { name: 'Edit Title: Head of sales' })
  const note = panel.getByRole('textbox', { name: 'Write a note' })
  const [left, right] = [await field.boundingBox(), await note.boundingBox()]
  assert.ok(left!.x + left!.width <= right!.x, 'the fields are not beside the history')
  const website = panel.getByRole('link', { name: 'keller.example', exact: true })
  assert.equal(await website.getAttribute('href'), 'https://keller.example/')
  assert.equal(await website.getAttribute('target'), '_blank')
  await page.keyboard.press('e')
  await waitUntil(async () => (await page.evaluate('document.activeElement.ariaLabel')) === 'Edit First name: Anna')

  await page.setViewportSize({ width: 1100, height: 900 })
  await panel.getByRole('tab', { name: 'Details', selected: true }).waitFor()
  await panel.getByRole('tab', { name: 'Activity' }).click()
  await field.waitFor({ state: 'hidden' })
  await panel.getByRole('link', { name: 'Leads' }).click()
  await rowOf(page, 'Anna Keller').waitFor()
  assert.deepEqual(errors, [])
})
