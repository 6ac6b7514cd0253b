import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { waitForValue } from '#testing'
import { png } from '../../src/platform/files/formats/sample-files.fixture.ts'
import { findAccessibilityProblems } from './accessibility.ts'
import { devices, startViewerPages } from './viewer-pages.ts'

const { createOffer, createFileItem, visitRoom } = await startViewerPages()
const { desktop, phone } = devices
const narrow = { ...phone, viewport: { width: 320, height: 640 } }
const offer = { content_item_id: (await createOffer()).id }
const image = await createFileItem({ title: 'Team', type: 'image' }, { filename: 'team.png', content: png })
const notes = { kind: 'text', title: 'Notes', body: '# Dates\n\n- one\n- two' }

async function assertReadable(page: Page): Promise<void> {
  const [width, visible] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, window.innerWidth]',
  )
  assert.ok(width <= visible, `the page is ${width} pixels wide, the window ${visible}`)
  assert.deepEqual(await findAccessibilityProblems(page), [])
}

/** Number of canvases that are drawn. */
const countDrawn = (page: Page, selector: string): Promise<number> =>
  page.evaluate(`[...document.querySelectorAll('${selector}')].filter((element) => element.dataset.drawn).length`)

for (const theme of ['light', 'dark'])
  for (const [device, options] of Object.entries(theme === 'light' ? { desktop, narrow } : { desktop, phone }))
    test(`every kind of item is readable in the ${theme} theme: ${device}`, async () => {
      const fields = { branding: { theme, primary_color: '#f26b1d' }, settings: { show_owner_email: true } }
      const items = [offer, { content_item_id: image.id }, notes]
      const { room, context, url, problems } = await visitRoom(items, { options, fields })
      const page = await context.newPage()

      for (const { id, title } of room.items.slice(1)) {
        await page.goto(`${url}/items/${id}`)
        if (title === 'Offer') await page.locator('#pages').waitFor()
        assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), theme)
        await assertReadable(page)
      }
      assert.deepEqual(problems, [])
    })

test('the reader turns pages with keys, buttons and the strip, and the address has the page', async (t) => {
  const { context, viewerUrl, problems } = await visitRoom([offer], { options: desktop })
  const page = await context.newPage()
  const started = performance.now()
  await page.goto(`${viewerUrl}?page=6`)
  await page.locator('section[data-current] canvas').waitFor()
  await waitForValue(
    () => countDrawn(page, 'section'),
    (drawn) => drawn > 0,
  )
  t.diagnostic(`first page of ten after ${Math.round(performance.now() - started)} ms`)
  const isAt = async (number: number) => {
    await page.getByText(`Page ${number} of 10`).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('page'), String(number))
    assert.equal(await page.locator('.strip [aria-current]').getAttribute('data-page'), String(number))
    assert.deepEqual(
      await page.locator('section:visible').evaluateAll((shown) => shown.map((section) => section.ariaLabel)),
      [`Page ${number}`],
    )
  }

  await isAt(6)
  await page.keyboard.press('ArrowLeft')
  await isAt(5)
  await page.getByRole('button', { name: 'Next page' }).click()
  await isAt(6)
  await page.locator('.strip').getByRole('link', { name: 'Page 1', exact: true }).click()
  await isAt(1)
  assert.ok(await page.getByRole('button', { name: 'Previous page' }).isDisabled())
  await page.keyboard.press('ArrowLeft')
  await isAt(1)
  assert.ok((await countDrawn(page, '.strip a')) < 10)
  await page.getByRole('button', { name: 'Read as text' }).press('Enter')
  await page.getByText('Page 1 Prices').filter({ visible: true }).waitFor()
  await page.keyboard.press('ArrowRight')
  await isAt(2)
  await page.getByText('Page 2 Prices').filter({ visible: true }).waitFor()
  assert.deepEqual(problems, [])
})

test('the pages of a phone are one column, and a swipe turns them', async () => {
  const { context, viewerUrl } = await visitRoom([offer], { options: phone })
  const page = await context.newPage()
  await page.goto(`${viewerUrl}?page=3`)
  await page.getByText('Page 3 of 10').waitFor()
  const swipe = (from: number, to: number) =>
    page.evaluate(`(() => {
      const viewer = document.querySelector('#viewer')
      const touch = (x) => new Touch({ identifier: 1, target: viewer, clientX: x, clientY: 300 })
      viewer.dispatchEvent(new TouchEvent('touchstart', { touches: [touch(${from})], changedTouches: [touch(${from})] }))
      viewer.dispatchEvent(new TouchEvent('touchend', { changedTouches: [touch(${to})] }))
    })()`)

  assert.equal(await page.locator('section:visible').count(), 10)
  await swipe(300, 100)
  await page.getByText('Page 4 of 10').waitFor()
  await swipe(100, 120)
  await swipe(100, 300)
  await page.getByText('Page 3 of 10').waitFor()
  const boxes = await Promise.all(['.strip', '#pages', '#viewer'].map((name) => page.locator(name).boundingBox()))
  assert.ok(boxes[0]!.y > boxes[1]!.y && boxes[1]!.y > boxes[2]!.y)
})

test('without scripts the browser shows the PDF, and there is no strip', async () => {
  const { context, viewerUrl } = await visitRoom([offer], { options: { ...desktop, javaScriptEnabled: false } })
  const page = await context.newPage()
  await page.goto(viewerUrl)

  assert.ok(await page.locator('iframe').isVisible())
  for (const hidden of ['.strip', '#pages', '#loading', '#failure'])
    assert.equal(await page.locator(hidden).isVisible(), false)
})

test('the browser shows a PDF that cannot be drawn', async () => {
  const broken = await createOffer(Buffer.from('%PDF-1.4\nnothing of a document\n%%EOF\n'))
  const { context, viewerUrl } = await visitRoom([{ content_item_id: broken.id }], { options: desktop })
  const page = await context.newPage()
  await page.goto(viewerUrl)

  await page.locator('#viewer iframe').waitFor()
  assert.equal(await page.locator('.strip, #loading:visible, #failure:visible').count(), 0)
})

test('a lost connection is said, and the reader can try again', async () => {
  const { context, viewerUrl } = await visitRoom([offer], { options: phone })
  const page = await context.newPage()
  await page.route(/offer\.pdf/, (route) => route.abort('connectionfailed'))
  await page.goto(`${viewerUrl}?page=2`)

  await page.getByRole('alert').getByText('Check your connection').waitFor()
  assert.deepEqual(await findAccessibilityProblems(page), [])
  await page.unroute(/offer\.pdf/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Page 2 of 10').waitFor()
})

test('the page speaks the language of the browser', async () => {
  const options = { ...phone, locale: 'de-DE', extraHTTPHeaders: { 'accept-language': 'de-DE' } }
  const { context, viewerUrl } = await visitRoom([offer], { options })
  const page = await context.newPage()
  await page.goto(viewerUrl)

  await page.getByText('Seite 1 von 10').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Nächste Seite' }).count(), 1)
})

test('the viewer loads at most 450 kB more than the room', async (t) => {
  const { context, url, viewerUrl } = await visitRoom([offer], { options: desktop })
  const page = await context.newPage()
  const sizes = new Map<string, number>()
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url())
    if (/\.m?js$/.test(pathname) && response.status() === 200)
      sizes.set(pathname, gzipSync(await response.body(), { level: 9 }).length)
  })
  const loadedBy = async (address: string, isLoaded: () => Promise<unknown>) => {
    sizes.clear()
    await page.goto(address)
    await isLoaded()
    await page.waitForLoadState('networkidle')
    return [...sizes.values()].reduce((sum, size) => sum + size, 0)
  }
  const ofRoom = await loadedBy(url, async () => {})
  const ofViewer = await loadedBy(viewerUrl, () => page.locator('#pages').waitFor())

  t.diagnostic(`scripts: room ${ofRoom} bytes, viewer ${ofViewer} bytes`)
  assert.ok(sizes.has('/r/pdfjs/pdf.worker.mjs'))
  assert.ok(ofViewer - ofRoom <= 450_000)
})
