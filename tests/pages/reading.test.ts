import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { runTenantSchedule, waitUntil } from '#testing'
import { foldViewsSchedule } from '../../src/modules/enablement/content-views/fold-views.jobs.ts'
import { startRoomApp } from '../../src/modules/enablement/room-visits/room-visits.fixture.ts'
import { startBrowser } from '../reference/browser.ts'
import { createPdf } from './create-pdf.ts'

const app = await startRoomApp({ APP_DOMAIN: 'localhost', APP_SCHEME: 'http' })
const { acme, clock, port, createFileItem, createActiveRoom } = app
const browser = await startBrowser()
const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) Safari/605.1.15'
const desktop = { viewport: { width: 1280, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

const content = createPdf(Array.from({ length: 10 }, (_, n) => [`Page ${n + 1}`, 'Prices and dates.']))
const createOffer = () => createFileItem({ title: 'Offer', type: 'document' }, { filename: 'offer.pdf', content })
const offer = await createOffer()

async function openViewer(device: object, item: { id: string } = offer, query = '') {
  const room = await createActiveRoom({}, [{ content_item_id: item.id }])
  const context = await browser.newContext({ userAgent, ...device })
  const url = `http://${acme.host}:${port}/r/${room.share.share_token}`
  const page = await newTab(context)
  await page.goto(url)
  await page.getByRole('button', { name: 'Open the files' }).click()
  const viewerUrl = `${url}/items/${room.items[1].id}${query}`
  await goToViewer(page, viewerUrl)
  return { room, context, page, viewerUrl }
}

async function newTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.clock.install({ time: clock.now() })
  return page
}

async function goToViewer(page: Page, viewerUrl: string): Promise<void> {
  await page.goto(viewerUrl)
  await page.locator('#pages').waitFor()
}

/** Lets time pass in the browser and on the server. Moving the mouse shows that the page is used. */
async function pass(page: Page, seconds: number, { isUsed = true } = {}): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    if (isUsed) await page.mouse.move(10 + (passed % 50), 10)
    clock.advance(5)
    await page.clock.runFor(5_000)
    await page.evaluate('fetch("/r/reading.js").then((response) => response.text())')
  }
}

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`)

type Room = { id: string }
const readVisits = async ({ id }: Room) =>
  (
    await acme.sql(
      `select visit.active_seconds as seconds, visit.visitor_id, view.active_seconds as view_seconds, view.max_page, view.completed
       from enablement.room_visits visit left join enablement.content_views view on view.visit_id = visit.id
       where visit.room_id = $1 order by visit.started_at, view.started_at`,
      [id],
    )
  ).rows

/** The last heartbeat is sent when the page is hidden. */
async function assertSeconds(page: Page, room: Room, expected: number, tolerance = 5) {
  await setHidden(page, true)
  const isClose = (seconds: number) => Math.abs(seconds - expected) <= tolerance
  await waitUntil(async () => isClose((await readVisits(room)).at(-1)!.seconds), 10).catch(() => {})
  const { seconds, view_seconds } = (await readVisits(room)).at(-1)!
  assert.ok(isClose(seconds) && isClose(view_seconds), `${seconds} and ${view_seconds} seconds instead of ${expected}`)
  await setHidden(page, false)
}

test('five minutes of reading in a PDF of ten pages are five minutes on ten pages', async () => {
  const item = await createOffer()
  const { page, room } = await openViewer(desktop, item)

  for (let number = 1; number <= 10; number++) {
    await page.getByText(`Page ${number} of 10`).waitFor()
    await pass(page, 30)
    await page.keyboard.press('ArrowRight')
  }

  await assertSeconds(page, room, 300)
  const [visit] = await readVisits(room)
  assert.deepEqual([visit.max_page, visit.completed], [10, true])
  await runTenantSchedule(app, foldViewsSchedule(app.services))
  const { body } = await acme.manager.get(`/api/enablement/content/${item.id}/analytics`)
  assert.deepEqual([body.views, body.completion_rate, body.page_dropoff.length], [1, 1, 10])
})

test('reading the first pages on a phone is measured and completes nothing', async () => {
  const { page, room } = await openViewer(phone)

  for (const number of [1, 2, 3]) {
    await page.locator(`[data-page="${number}"]`).first().scrollIntoViewIfNeeded()
    await page.evaluate(`document.querySelector('section[data-page="${number}"]').scrollIntoView()`)
    await page.getByText(`Page ${number} of 10`).waitFor()
    await pass(page, 20)
  }

  await assertSeconds(page, room, 60)
  const [visit] = await readVisits(room)
  assert.deepEqual([visit.max_page, visit.completed], [3, false])
})

test('a hidden tab and an idle reader are not counted', async () => {
  const { page, room } = await openViewer(desktop, offer, '?page=6')
  await page.getByText('Page 6 of 10').waitFor()
  await pass(page, 30)
  await setHidden(page, true)
  await pass(page, 60)
  await setHidden(page, false)
  await pass(page, 30)
  await pass(page, 200, { isUsed: false })

  await assertSeconds(page, room, 120)
  assert.equal((await readVisits(room))[0].max_page, 6)
})

test('two tabs of a visit count together, and never twice at a time', async () => {
  const { page: first, context, room, viewerUrl } = await openViewer(desktop)
  await pass(first, 30)
  await setHidden(first, true)
  const second = await newTab(context)
  await goToViewer(second, viewerUrl)
  await pass(second, 30)
  await first.clock.runFor(30_000)
  await setHidden(first, false)
  for (let n = 0; n < 6; n++) {
    await first.mouse.move(20 + n, 20)
    await second.mouse.move(20 + n, 20)
    clock.advance(5)
    await Promise.all([first.clock.runFor(5_000), second.clock.runFor(5_000)])
  }
  await setHidden(first, true)

  await assertSeconds(second, room, 90)
  assert.equal((await readVisits(room)).length, 1)
})

test('a return after five minutes continues the visit, and one after two days starts the next of the same visitor', async () => {
  const { page, room, viewerUrl } = await openViewer(desktop)
  await pass(page, 30)
  await page.goto('about:blank')
  clock.advance(300)
  await page.clock.fastForward(300_000)
  await goToViewer(page, viewerUrl)
  await pass(page, 30)
  await assertSeconds(page, room, 60)

  await setHidden(page, true)
  clock.advance(2 * 86_400)
  await page.clock.fastForward(2 * 86_400_000)
  await setHidden(page, false)
  await pass(page, 5)
  await waitUntil(async () => (await readVisits(room)).length === 2, 10)
  await pass(page, 30)

  await assertSeconds(page, room, 32, 8)
  const visits = await readVisits(room)
  assert.deepEqual([visits.length, new Set(visits.map(({ visitor_id }) => visitor_id)).size], [2, 1])
})
