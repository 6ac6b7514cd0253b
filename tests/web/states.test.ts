import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '#testing'
import { findOverflowingWidths, findPageProblems } from './check-page.ts'
import { createLead } from './lead-pages.ts'
import { startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

type Screen = { name: string; path: string; data: string }

const screens: readonly Screen[] = [
  { name: 'Home', path: '/', data: '**/api/home' },
  { name: 'Leads', path: '/leads?view=all', data: '**/api/leads/?*' },
  { name: 'Deals', path: '/deals', data: '**/api/opportunities/board*' },
  { name: 'People', path: '/people', data: '**/api/users/?*' },
  { name: 'Inbox', path: '/inbox', data: '**/api/auth/notifications*' },
  { name: 'API keys', path: '/settings/api-keys', data: '**/api/api-keys*' },
  { name: 'Sign-ins', path: '/settings/sign-ins', data: '**/api/auth/sessions*' },
]

const problem = (status: number, code: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', status, code, title: code, request_id: 'req-17' }),
})

test('every screen has accessible states while it loads, after an error and without permission', async () => {
  const acme = await tenant()
  await createLead(acme.admin, 'Anna Keller')
  const { page, context, origin } = await openSignedIn(acme, acme.admin)

  for (const { name, path, data } of screens) {
    const stopWaiting = Promise.withResolvers<void>()
    await context.route(data, async (route) => {
      await stopWaiting.promise
      await route.fulfill(problem(400, 'unexpected'))
    })
    await page.goto(origin + path)
    await page.locator('[aria-busy=true]').filter({ visible: true }).first().waitFor()
    assert.deepEqual(await findPageProblems(page), [], `${name} while it loads`)
    assert.deepEqual(await findOverflowingWidths(page), [], `${name} while it loads`)

    stopWaiting.resolve()
    await page.getByRole('button', { name: 'Try again' }).first().waitFor()
    await page.getByText('Request req-17').first().waitFor()
    assert.deepEqual(await findPageProblems(page), [], `${name} after an error`)
    assert.deepEqual(await findOverflowingWidths(page), [], `${name} after an error`)
    await context.unroute(data)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('Request req-17').first().waitFor({ state: 'detached' })

    await context.route(data, (route) => route.fulfill(problem(403, 'scope_required')))
    await page.goto(origin + path)
    await page.getByRole('heading', { name: /^You cannot see/ }).waitFor()
    assert.deepEqual(await findPageProblems(page), [], `${name} without permission`)
    await context.unroute(data)
  }
})

test('every screen of an empty workspace says how to begin and fits every width', async () => {
  const acme = await tenant()
  const { page, errors, origin } = await openSignedIn(acme, acme.admin)

  for (const { name, path } of screens) {
    await page.goto(origin + path)
    await page.locator('main').getByRole('heading').first().waitFor()
    await waitUntil(async () => (await page.locator('main [aria-busy=true]').count()) === 0)
    assert.deepEqual(await findPageProblems(page), [], name)
    assert.deepEqual(await findOverflowingWidths(page), [], name)
  }
  assert.deepEqual(errors, [])
})

test('filters without a result, a page that does not exist and a record that is gone explain themselves', async () => {
  const acme = await tenant()
  await createLead(acme.admin, 'Anna Keller')
  const { page, origin } = await openSignedIn(acme, acme.admin)
  const pages: [path: string, text: string | RegExp][] = [
    ['/leads?view=all&grade=A&q=unknown', 'No lead matches'],
    ['/nowhere', 'This page does not exist'],
    ['/leads/0195d1c2-7c4e-7b1a-9a53-3f1a0c5d2e11', /not exist|not found|deleted/i],
    ['/deals/0195d1c2-7c4e-7b1a-9a53-3f1a0c5d2e11', /not exist|not found|deleted/i],
  ]

  for (const [path, text] of pages) {
    await page.goto(origin + path)
    await page.locator('main').getByText(text).first().waitFor()
    assert.deepEqual(await findPageProblems(page), [], path)
    assert.deepEqual(await findOverflowingWidths(page), [], path)
  }
})

test('without a connection and in maintenance a banner is shown, and the data stays readable', async () => {
  const acme = await tenant()
  await createLead(acme.admin, 'Anna Keller')
  const { page, context } = await openSignedIn(acme, acme.admin, { path: '/leads?view=all' })
  await page.getByRole('gridcell').first().waitFor()

  await context.setOffline(true)
  await page
    .getByText(/offline/i)
    .first()
    .waitFor()
  assert.deepEqual(await findPageProblems(page), [])
  assert.deepEqual(await findOverflowingWidths(page), [])
  await page.getByRole('row').filter({ hasText: 'Anna Keller' }).waitFor()
  await context.setOffline(false)
  await page
    .getByText(/offline/i)
    .first()
    .waitFor({ state: 'detached' })

  await context.route('**/api/leads/*', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill(problem(409, 'tenant_in_maintenance')) : route.fallback(),
  )
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('row').filter({ hasText: 'Anna Keller' }).click()
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByRole('button', { name: 'Edit Title' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('CTO')
  await page.keyboard.press('Enter')
  await page
    .getByText(/maintenance/i)
    .first()
    .waitFor()
  assert.deepEqual(await findPageProblems(page), [])
})
