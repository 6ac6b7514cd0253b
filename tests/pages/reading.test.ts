import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { runTenantSchedule, waitUntil } from '#testing'
import { recountViewsSchedule } from '../../src/modules/library/views/recount-views.jobs.ts'
import { devices, startViewerPages } from './viewer-pages.ts'

const app = await startViewerPages()
const { acme, clock, createOffer, visitRoom, renewSessions } = app
const { desktop, phone } = devices
const offer = await createOffer()
beforeEach(renewSessions)

async function openViewer(options: object, item: { id: string } = offer, query = '') {
  const visited = await visitRoom([{ content_item_id: item.id }], { options })
  const page = await newTab(visited.context)
  await goToViewer(page, `${visited.viewerUrl}${query}`)
  return { ...visited, page }
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

/** Shows a page as readers do: with a key on a desktop, by scrolling on a phone. */
async function turnTo(page: Page, number: number, isPhone: boolean): Promise<void> {
  if (isPhone) await page.evaluate(`document.querySelector('section[data-page="${number}"]').scrollIntoView()`)
  else if (number > 1) await page.keyboard.press('ArrowRight')
  await page.getByText(`Page ${number} of 10`).waitFor()
}

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`)

type Room = { id: string }
const readVisits = async ({ id }: Room) =>
  (
    await acme.sql(
      `select visit.active_seconds as seconds, visit.visitor_id, view.active_seconds as view_seconds, view.max_page, view.completed,
         view.page_seconds
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

type ReadPage = { page: number; seconds: number }
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

/** What the seller sees of the last visit. */
async function listReadPages({ id }: Room): Promise<ReadPage[]> {
  await renewSessions()
  const { body } = await acme.member.get(`/api/enablement/rooms/${id}/visits`)
  return body.items[0].items[0].pages
}

function assertPages(pages: ReadPage[], expected: Record<number, number>, tolerance = 2): void {
  const isRight = pages.every(({ page, seconds }) => Math.abs(seconds - (expected[page] ?? -9)) <= tolerance)
  assert.ok(isRight && pages.length === Object.keys(expected).length, JSON.stringify(pages))
}

for (const [name, device] of Object.entries(devices))
  test(`five minutes of reading in a PDF of ten pages are five minutes on ten pages: ${name}`, async () => {
    const item = await createOffer()
    const { page, room } = await openViewer(device, item)

    for (const number of numbers(10)) {
      await turnTo(page, number, name === 'phone')
      await pass(page, 30)
    }

    await assertSeconds(page, room, 300)
    const [visit] = await readVisits(room)
    assert.deepEqual([visit.max_page, visit.completed], [10, true])
    const pages = await listReadPages(room)
    assertPages(pages, Object.fromEntries(numbers(10).map((number) => [number, 30])))
    const stored: number[] = Object.values(visit.page_seconds)
    assert.ok(stored.reduce((sum, seconds) => sum + seconds, 0) <= visit.view_seconds)
    assert.ok(await page.getByText('10 of 10 pages read').count())
    await runTenantSchedule(app, recountViewsSchedule(app.services))
    const { body } = await acme.manager.get(`/api/enablement/content/${item.id}/analytics`)
    assert.deepEqual([body.views, body.completion_rate, body.page_dropoff.length], [1, 1, 10])
  })

test('pages that a reader skips are not read, and complete nothing', async () => {
  const item = await createOffer()
  const { page, room } = await openViewer(phone, item)

  for (const number of [1, 3, 9]) {
    await turnTo(page, number, true)
    await pass(page, 20)
  }

  await assertSeconds(page, room, 60)
  const [visit] = await readVisits(room)
  assert.deepEqual([visit.max_page, visit.completed], [9, false])
  assertPages(await listReadPages(room), { 1: 20, 3: 20, 9: 20 })
  await runTenantSchedule(app, recountViewsSchedule(app.services))
  const { body } = await acme.manager.get(`/api/enablement/content/${item.id}/analytics`)
  assert.deepEqual(
    body.page_dropoff.map(({ reach_rate }: { reach_rate: number }) => reach_rate),
    [1, 0, 1, 0, 0, 0, 0, 0, 1],
  )
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
  assertPages(await listReadPages(room), { 6: 120 }, 5)
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
  assertPages(await listReadPages(room), { 1: 90 }, 5)
})

test('a return after five minutes continues the visit, and one after two days starts the next of the same visitor', async () => {
  const { page, room, context, viewerUrl } = await openViewer(desktop)
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
  await waitUntil(async () => {
    const [, next] = await readVisits(room)
    return next !== undefined && next.view_seconds !== null
  }, 10)
  await pass(page, 30)

  await assertSeconds(page, room, 32, 8)
  const visits = await readVisits(room)
  assert.deepEqual([visits.length, new Set(visits.map(({ visitor_id }) => visitor_id)).size], [2, 1])
  const token = (await context.cookies(viewerUrl)).find(({ name }) => name === 'room_visit')!.value
  const { body } = await acme.anonymous.get(room.publicUrl, { 'x-visit-token': token })
  assert.partialDeepStrictEqual(body.room.items[1].visitor, { page: 1, progress: 0.1 })
})
