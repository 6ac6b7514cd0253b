import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { addDays, dayInTimezone } from '#platform/calendar'
import { waitUntil } from '#testing'
import { startRoomApp } from '../../src/modules/rooms/visits/visits.fixture.ts'
import { closePages, startBrowser } from '../reference/browser.ts'
import { createPdf } from './create-pdf.ts'
import { assertReadable } from './readable.ts'

const app = await startRoomApp({ APP_DOMAIN: 'localhost', APP_SCHEME: 'http' })
const { acme, clock, port, createFileItem, createActiveRoom } = app
const browser = await startBrowser()
afterEach(() => closePages(browser))
const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) Safari/605.1.15'
const narrow = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true }

const content = createPdf([['Offer for Falconridge', 'Prices and dates.']])
const createOffer = (title: string) => createFileItem({ title, type: 'document' }, { filename: 'a.pdf', content })
const offers = [await createOffer('Proposal, November'), await createOffer('Contract'), await createOffer('Security')]
const welcome = 'Hello Paul, hello **Julia**,\n\nthis page has everything for the decision of the board.'

/** Creates a room with three sections and a plan of eight steps, of which five are done. */
async function createFullRoom(fields: object = {}) {
  const sections = ['Offer', 'Security and IT', 'What others say'].map((title) => ({ title, description: 'For you.' }))
  const room = await createActiveRoom({ public_title: 'Group contract for Falconridge', welcome, sections, ...fields })
  const placed = (await acme.member.get(room.url)).body.sections.map(({ id }: { id: string }) => id)
  for (const [at, section_id] of placed.entries())
    for (const item of [
      { content_item_id: offers[at]!.id },
      { kind: 'link', title: 'Price calculator', url: 'https://calc.brightwater.example/prices' },
      { kind: 'text', title: 'How we work', body: 'You talk to **one person**.\n\n| a | b |\n|-|-|\n| 1 | 2 |' },
    ])
      assert.equal((await acme.member.post(`${room.url}/content`, { ...item, section_id })).status, 201)
  const today = dayInTimezone(clock.now(), 'UTC')
  for (let n = 0; n < 8; n++) {
    const side = n % 2 ? 'buyer' : 'seller'
    const step = {
      title: `Step ${n + 1} of the plan`,
      side,
      due_on: addDays(today, (n - 5) * 3),
      assignee_name: 'Julia',
    }
    const { body } = await acme.member.post(`${room.url}/plan`, step)
    if (n < 5) await acme.member.patch(`${room.url}/plan/${body.id}`, { status: 'done' })
  }
  return { ...room, pageUrl: `http://${acme.host}:${port}/r/${room.share.share_token}` }
}

async function openPage(url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ userAgent, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', ({ message }) => problems.push(message))
  await page.goto(url)
  return { page, problems }
}

const focusedText = (page: Page) =>
  page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent')
const pressUntilFocused = async (page: Page, text: string) => {
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press('Tab')
    if ((await focusedText(page)) === text) return
  }
  assert.fail(`The keyboard does not reach ${text}`)
}

for (const [theme, primary_color] of [
  ['light', '#f26b1d'],
  ['dark', '#0e7a57'],
])
  test(`a room and its gate fit a phone of 320 pixels and are accessible in the ${theme} theme`, async () => {
    const room = await createFullRoom({ branding: { theme, primary_color }, share: { access: 'email' } })
    const { page, problems } = await openPage(room.pageUrl, { ...narrow, locale: 'de-DE' })

    await assertReadable(page, 'gate')
    await page.getByLabel('E-Mail-Adresse').fill('ann@')
    await page.getByRole('button', { name: 'Weiter' }).click()
    await page.getByRole('alert').waitFor()
    await assertReadable(page, 'gate with an error')
    assert.match(await page.title(), /^Fehler: /)
    await page.getByLabel('E-Mail-Adresse').fill('ann@buyer.example')
    await page.getByRole('button', { name: 'Weiter' }).click()
    await page.getByRole('heading', { level: 1, name: 'Group contract for Falconridge' }).waitFor()
    await assertReadable(page, 'room')
    await page.setViewportSize({ width: 1440, height: 900 })
    await assertReadable(page, 'room on a desktop')
    assert.deepEqual(
      problems.filter((problem) => !problem.includes('422')),
      [],
    )
  })

test('a visitor uses the gate and the plan with the keyboard, and a step is done without leaving the page', async () => {
  const room = await createFullRoom({ share: { access: 'email', password: 'open-sesame' } })
  const { page, problems } = await openPage(room.pageUrl)

  await page.keyboard.type('ann@buyer.example')
  await page.keyboard.press('Tab')
  await page.keyboard.type('open-sesame')
  await page.keyboard.press('Enter')
  await page.getByText('5 of 8 done').waitFor()
  await page.evaluate('window.isSamePage = true')
  await page.keyboard.press('Tab')
  const first = await focusedText(page)
  await pressUntilFocused(page, 'Mark as done: Step 6 of the plan')
  await page.keyboard.press('Enter')
  await page.getByText('6 of 8 done').first().waitFor()
  const afterwards = await focusedText(page)
  await page.getByRole('button', { name: 'Mark as done', exact: true }).click()
  await page.getByText('7 of 8 done').first().waitFor()

  assert.deepEqual([first, afterwards], ['Skip to the documents', 'Mark as not done: Step 6 of the plan'])
  assert.equal(await page.evaluate('window.isSamePage'), true)
  assert.equal(await page.getByRole('status').textContent(), '7 of 8 done')
  assert.equal(await page.getByText('Your next step').count(), 0)
  assert.deepEqual(problems, [])
})

test('a visitor without JavaScript changes the plan', async () => {
  const room = await createFullRoom({ share: { access: 'email' } })
  const { page } = await openPage(room.pageUrl, { javaScriptEnabled: false })

  await page.getByLabel('Work email address').fill('ann@buyer.example')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Mark as done', exact: true }).click()

  await page.getByText('6 of 8 done').waitFor()
  assert.match(page.url(), /#plan$/)
})

test('a visitor of an open room is asked who they are when they change the plan', async () => {
  const room = await createFullRoom()
  const { page } = await openPage(room.pageUrl)

  await page.getByRole('button', { name: 'Open the files' }).click()
  await page.getByRole('button', { name: 'Mark as done', exact: true }).click()
  await page.getByLabel('Work email address').fill('ann@buyer.example')
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.getByText('6 of 8 done').waitFor()
})

test('using a room without files starts a visit', async () => {
  const room = await createActiveRoom()
  const { page, problems } = await openPage(`http://${acme.host}:${port}/r/${room.share.share_token}`)
  const countVisits = async () =>
    (await acme.sql('select 1 from enablement.room_visits where room_id = $1', [room.id])).rows.length

  const before = await countVisits()
  await page.mouse.click(20, 300)
  await page.keyboard.press('End')
  await page.locator('#visit').waitFor({ state: 'attached' })

  assert.deepEqual([before, await countVisits()], [0, 1])
  assert.deepEqual(problems, [])
})

test('the first load of a room is small', async () => {
  const room = await createFullRoom()
  const { page } = await openPage(room.pageUrl)
  const loaded: Promise<{ url: string; size: number }>[] = []
  page.on('response', (response) => {
    const url = response.url().split('?')[0]!
    if (response.status() === 200 && /\/r\/[\w-]+$|\.(css|js)$/.test(url))
      loaded.push(response.body().then((body) => ({ url, size: gzipSync(body).length })))
  })
  await page.context().clearCookies()

  await page.getByRole('button', { name: 'Open the files' }).click()
  await waitUntil(() => loaded.length >= 3)
  await page.evaluate('fetch(document.querySelector("link[rel=stylesheet]").href, { cache: "reload" })')
  const files = await Promise.all(loaded)

  const total = files.reduce((sum, { size }) => sum + size, 0)
  const names = files.map(({ url }) => url.split('/').at(-1))
  for (const name of ['room.js', 'reading.js', 'public.css']) assert.ok(names.includes(name), names.join())
  assert.ok(total <= 60_000, `${total} bytes: ${JSON.stringify(files)}`)
})
