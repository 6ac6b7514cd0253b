import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { waitUntil } from '#testing'
import { listRoutes, selectScreens } from '../nightly/screen-sample.ts'
import { findCutPartsOfWidths, findProblems, follow, listRequests, neutral, waitForText } from './check-page.ts'
import { createRecords } from './screen-records.ts'
import { pathOf, screens } from './screens.ts'
import { phone, startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()
const [acme, empty] = [await tenant(), await tenant()]
const records = await createRecords(acme)
const desktop = { viewport: { width: 1440, height: 900 }, path: neutral.path }
const browsers = {
  admin: await openSignedIn(acme, acme.admin, desktop),
  viewer: await openSignedIn(acme, acme.viewer, desktop),
  newcomer: await openSignedIn(empty, empty.viewer, { ...desktop, asksForFocus: true }),
  empty: await openSignedIn(empty, empty.admin, desktop),
  phone: await openSignedIn(acme, acme.admin, { ...phone, path: neutral.path }),
}
type Browser = (typeof browsers)[keyof typeof browsers]

const problem = (status: number, code: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', status, code, title: code, request_id: 'req-17' }),
})

async function waitForData(page: Page, text: string): Promise<void> {
  await waitForText(page, text)
  await waitUntil(async () => (await page.locator('main [aria-busy=true]').count()) === 0)
}

async function check({ page, errors }: Browser, state: string): Promise<void> {
  assert.deepEqual(await findProblems(page), [], state)
  assert.deepEqual(errors.splice(0), [], state)
}

async function checkAllWidths(browser: Browser, state: string): Promise<void> {
  await check(browser, state)
  assert.deepEqual(await findCutPartsOfWidths(browser.page), [], state)
}

/** Checks a screen until its data is shown. */
async function checkRequest(browser: Browser, path: string, request: string): Promise<void> {
  const { page } = browser
  const permission = Promise.withResolvers<void>()
  await page.unrouteAll()
  await page.route(request, async (route) => {
    await permission.promise
    await route.fulfill(problem(403, 'scope_required'))
  })
  await follow(page, path)
  await page.locator('[aria-busy=true]').filter({ visible: true }).first().waitFor()
  await checkAllWidths(browser, 'while it loads')
  permission.resolve()
  await page.getByRole('heading', { name: /^You cannot see/ }).waitFor()
  await checkAllWidths(browser, 'without permission')
  await page.unroute(request)

  await page.route(request, (route) => route.fulfill(problem(400, 'unexpected')))
  await follow(page, path)
  await page.getByRole('button', { name: 'Try again' }).first().waitFor()
  await waitForText(page, 'Request req-17')
  await checkAllWidths(browser, 'after an error')
  await page.unroute(request)
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByText('Request req-17').first().waitFor({ state: 'detached' })
}

async function checkNumberOfRequests(page: Page, most: number, show: () => Promise<void>): Promise<void> {
  // A screen that is shown would read its data again as soon as it is older.
  await follow(page, neutral.path)
  const requests = await listRequests(page, show)
  assert.ok(requests.length <= most, requests.join())
}

/** Screens with a request come first, because a page keeps the data that other screens have read. */
const ordered = selectScreens(screens).toSorted((one, other) => Number(!one.request) - Number(!other.request))

for (const screen of ordered) {
  const { name, user = 'admin', request, requests, filled } = screen
  const path = pathOf(screen, records)

  if (filled)
    test(`${name} is accessible in all states and fits every width`, async () => {
      const browser = browsers[user]
      const { page } = browser
      const show = async () => {
        await follow(page, path)
        await waitForData(page, filled)
      }
      if (request) await checkRequest(browser, path, request)
      if (requests) await checkNumberOfRequests(page, requests, show)
      else if (!request) await show()
      else await waitForData(page, filled)
      await checkAllWidths(browser, 'with data')
    })

  if (screen.empty)
    test(`${name} says how to begin in an empty workspace`, async () => {
      const { page } = browsers.empty
      await follow(page, path)
      await waitForData(page, screen.empty!)
      await checkAllWidths(browsers.empty, 'without data')
    })

  if (filled && screen.isOnPhone)
    test(`${name} is accessible on a phone`, async () => {
      const { page } = browsers.phone
      await follow(page, path)
      await waitForData(page, filled)
      await check(browsers.phone, 'on a phone')
    })
}

test('every route and every section of the settings has a row in the table of screens', () => {
  const routes = listRoutes()
  const source = readFileSync(join(import.meta.dirname, '../../web/src/areas/settings/sections.tsx'), 'utf8')
  const keys = [...source.matchAll(/\bkey: '([\w-]+)',\s+group:/g)]
  const sections = keys.map(([, key]) => `/settings/${key}`)

  const known = new Set(screens.flatMap((screen) => [screen.route, pathOf(screen, records)]))
  assert.deepEqual(
    [...routes.map(({ route }) => route), ...sections].filter((route) => !known.has(route)),
    [],
  )
  assert.deepEqual(
    screens.filter((screen) => !routes.some(({ route }) => route === screen.route)),
    [],
  )
  assert.ok(sections.length > 0)
})
