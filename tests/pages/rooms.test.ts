import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { waitForValue, waitUntil } from '#testing'
import { startRoomApp } from '../../src/modules/rooms/visits/visits.fixture.ts'
import { box, png } from '../../src/platform/files/formats/sample-files.fixture.ts'
import { closePages, startBrowser } from '../reference/browser.ts'
import { createPdf } from './create-pdf.ts'
import { measureBrightness } from './measure-brightness.ts'
import { assertReadable as assertReadablePage } from './readable.ts'

const app = await startRoomApp({ APP_DOMAIN: 'localhost', APP_SCHEME: 'http' })
const { acme, port, call, createFileItem, createActiveRoom, mails } = app
await app.startTestWorker()
const browser = await startBrowser()
afterEach(() => closePages(browser))
const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) Safari/605.1.15'
const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 375, height: 667 }, isMobile: true, hasTouch: true }

const pdf = createPdf([
  ['Offer for Globex', 'Two pages about prices and dates.'],
  ['Second page', 'Delivery in two weeks.'],
])
/** The index of the clip is behind six megabytes, so that a browser must ask for a range to play it. */
const clip = readFileSync(new URL('clip.mp4', import.meta.url))
const indexAt = clip.indexOf('moov') - 4
const video = Buffer.concat([clip.subarray(0, indexAt), box('free', Buffer.alloc(6_000_000)), clip.subarray(indexAt)])

const deck = await createFileItem({ title: 'Offer deck', type: 'slide_deck' }, { filename: 'offer.pdf', content: pdf })
const film = await createFileItem({ title: 'Product film', type: 'video' }, { filename: 'film.mp4', content: video })
const image = await createFileItem({ title: 'Team', type: 'image' }, { filename: 'team.png', content: png })
await waitForValue(
  () => acme.manager.get(`/api/enablement/content/${deck.id}?track=false`),
  ({ body }) => body.file.preview_state === 'ready',
)

const fields = { public_title: 'Offer for Globex', welcome: 'Hello **Ann**, here is what we *discussed*.' }
const website = { kind: 'link', title: 'Website', url: 'https://example.com', description: 'All about the product.' }

async function createShownRoom(more: object = {}) {
  const room = await createActiveRoom({ ...fields, sections: [{ title: 'Proposal' }], ...more }, [
    { content_item_id: deck.id },
    website,
  ])
  const [section_id] = (await acme.member.get(room.url)).body.sections.map(({ id }: { id: string }) => id)
  for (const { id } of [film, image])
    assert.equal((await acme.member.post(`${room.url}/content`, { content_item_id: id, section_id })).status, 201)
  const steps = [
    { title: 'Sign the contract and send it back to us', side: 'buyer', due_on: '2030-01-31' },
    { title: 'Prepare the kick-off', side: 'seller', assignee_name: 'Grace Hopper', due_on: '2030-02-10' },
  ]
  for (const step of steps) assert.equal((await acme.member.post(`${room.url}/plan`, step)).status, 201)
  return room
}
const open = await createShownRoom()
const gated = await createShownRoom({ share: { access: 'email', password: 'open-sesame' } })
const dark = await createShownRoom({ branding: { theme: 'dark', primary_color: '#ffd54f' } })
const urlOf = ({ share }: { share: { share_token: string } }) => `http://${acme.host}:${port}/r/${share.share_token}`

async function newPage(options: object = {}) {
  const context = await browser.newContext({ userAgent, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => /Content Security Policy/.test(message.text()) && problems.push(message.text()))
  return { page, problems }
}

const openFiles = (page: Page) => page.getByRole('button', { name: 'Open the files' }).click()
const passGate = async (page: Page, password: string, email = 'ann@buyer.example') => {
  await page.getByLabel('Work email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Open the page' }).click()
}

/** Waits for all images first. */
async function assertReadable(page: Page, name: string): Promise<void> {
  await page.evaluate(
    `Promise.all([...document.images].filter(({ offsetParent }) => offsetParent).map((image) => {
      image.loading = 'eager'
      return image.decode()
    }))`,
  )
  await assertReadablePage(page, `rooms/${name}`, { fullPage: true })
}

test('a visitor opens a room on a desktop, sees the PDF, and the time is counted', async () => {
  const { page, problems } = await newPage(desktop)
  await page.goto(urlOf(open))
  const before = await page.locator('iframe, video, .item img, a[href*="/items/"]').count()
  await assertReadable(page, 'desktop-before-visit')

  await openFiles(page)
  await page.getByRole('link', { name: 'Offer deck' }).click()
  const document = page.locator('#viewer canvas').first()
  await waitForValue(
    async () => await measureBrightness(browser, await document.screenshot()),
    ({ white, dark }) => white > 0.5 && dark > 0.001,
  )
  await waitUntil(async () => {
    const { rows } = await acme.sql(
      'select 1 from enablement.room_visits where room_id = $1 and counted_at is not null',
      [open.id],
    )
    return rows.length === 1
  }, 30)

  assert.equal(before, 0)
  assert.ok(await page.getByText('Page 1 of 2').isVisible())
  await assertReadable(page, 'desktop-viewer')
  await page.getByRole('link', { name: 'Back to Offer for Globex' }).click()
  assert.ok(await page.getByRole('heading', { name: 'Sign the contract' }).isVisible())
  await assertReadable(page, 'desktop-visit')
  assert.deepEqual(problems, [])
})

test('a visitor plays a video and seeks in it', async () => {
  const { page, problems } = await newPage(desktop)
  const ranges: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('film.mp4')) ranges.push(`${response.status()} ${response.headers()['content-range']}`)
  })
  await page.goto(urlOf(open))
  await openFiles(page)
  await page.getByRole('link', { name: 'Product film' }).click()
  await page.locator('video').waitFor()

  const played = await page.evaluate(`(async (video) => {
    const waitFor = (event) => new Promise((resolve) => video.addEventListener(event, resolve, { once: true }))
    video.muted = true
    if (video.readyState < 1) await waitFor('loadedmetadata')
    const seeked = waitFor('seeked')
    video.currentTime = 15
    await seeked
    const at = video.currentTime
    const progress = waitFor('timeupdate')
    await video.play()
    await progress
    video.pause()
    return { at, duration: Math.round(video.duration), width: video.videoWidth, error: video.error?.message ?? null }
  })(document.querySelector('video'))`)

  assert.deepEqual(played, { at: 15, duration: 20, width: 320, error: null })
  assert.ok(
    ranges.some((range) => /^206 bytes [1-9]\d*-/.test(range)),
    ranges.join(),
  )
  assert.deepEqual(problems, [])
})

test('a visitor passes the gate on a phone and sees the first page of the PDF', async () => {
  const { page, problems } = await newPage(phone)
  await page.goto(urlOf(gated))
  const gate = await page.content()
  await assertReadable(page, 'phone-gate')

  await passGate(page, 'wrong-password')
  const refused = await page.getByRole('alert').textContent()
  assert.equal(await page.getByLabel('Work email address').inputValue(), 'ann@buyer.example')
  await assertReadable(page, 'phone-gate-refused')
  await passGate(page, 'open-sesame')
  await page.getByRole('heading', { name: 'Offer for Globex' }).waitFor()
  const firstPage = page.getByRole('listitem').filter({ hasText: 'Offer deck' }).locator('img')
  await firstPage.scrollIntoViewIfNeeded()
  const width = await page.evaluate(
    `(async (image) => (await image.decode(), image.naturalWidth))(document.querySelector('.thumb img'))`,
  )

  assert.doesNotMatch(gate, /Offer|Globex|Hello/)
  assert.match(refused!, /This did not work/)
  assert.equal(width, 480)
  assert.ok(await page.getByRole('link', { name: 'Offer deck' }).isVisible())
  await assertReadable(page, 'phone-visit')
  assert.deepEqual(problems, [])
})

test('a visitor reads a room without JavaScript', async () => {
  const { page } = await newPage({ ...desktop, javaScriptEnabled: false })
  await page.goto(urlOf(gated))

  await passGate(page, 'open-sesame', 'ann@buyer')
  const invalid = await page.getByRole('alert').textContent()
  await passGate(page, 'open-sesame')
  await page.getByRole('heading', { name: 'Offer for Globex' }).waitFor()

  assert.match(invalid!, /complete email address/)
  assert.ok(await page.getByRole('link', { name: 'Offer deck' }).isVisible())
  assert.ok(await page.getByText('Welcome').isVisible())
  await page.getByRole('link', { name: 'Offer deck' }).click()
  const { bytes } = await call('GET', (await page.locator('iframe').getAttribute('src'))!)
  assert.deepEqual(bytes, pdf)
})

test('a visitor proves the email address with a code', async () => {
  const room = await createActiveRoom({ ...fields, share: { access: 'verified_email' } })
  const { page } = await newPage(phone)
  await page.goto(urlOf(room))

  await page.getByLabel('Work email address').fill('ann@buyer.example')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Six-digit code').waitFor()
  await assertReadable(page, 'phone-code')
  const [mail] = await mails('ann@buyer.example', 1)
  const code = /\b\d{6}\b/.exec(mail!.subject!)![0]
  const enter = (value: string) => page.getByLabel('Six-digit code').fill(value)
  await enter(code === '000000' ? '111111' : '000000')
  const refused = await page.getByRole('alert').textContent()
  await enter(code)
  await page.getByRole('heading', { name: 'Offer for Globex' }).waitFor()

  assert.match(refused!, /This code is not correct/)
  const { rows } = await acme.sql(
    'select email from enablement.room_visitors where room_id = $1 and email_verified_at is not null',
    [room.id],
  )
  assert.deepEqual(rows, [{ email: 'ann@buyer.example' }])
})

test('the page follows the theme of the room on a phone and on a desktop', async () => {
  for (const [name, device] of Object.entries({ desktop, phone })) {
    const { page } = await newPage(device)
    await page.goto(urlOf(dark))
    await openFiles(page)
    await page.getByRole('heading', { name: 'Offer deck' }).waitFor()
    assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark')
    await assertReadable(page, `${name}-dark`)
  }
})

test('a link that does not work says so', async () => {
  const room = await createShownRoom()
  await acme.member.patch(room.url, { status: 'closed' })
  const { page } = await newPage(phone)

  await page.goto(urlOf(room))
  assert.match(await page.content(), /This page is closed/)
  await assertReadable(page, 'phone-closed')
  await page.goto(`http://${acme.host}:${port}/r/unknown-token`)
  assert.match(await page.content(), /This link does not work/)
})

test('a visitor who comes back is the same visitor and starts a new visit', async () => {
  const room = await createShownRoom()
  const { page } = await newPage(desktop)
  await page.goto(urlOf(room))
  await openFiles(page)
  await page.getByRole('heading', { name: 'Offer deck' }).waitFor()
  app.clock.advance(31 * 60)

  await page.goto(urlOf(room))
  await openFiles(page)
  await page.getByRole('heading', { name: 'Offer deck' }).waitFor()

  const { rows } = await acme.sql(
    'select count(*)::integer as visits, count(distinct visitor_id)::integer as visitors from enablement.room_visits where room_id = $1',
    [room.id],
  )
  assert.deepEqual(rows, [{ visits: 2, visitors: 1 }])
})
