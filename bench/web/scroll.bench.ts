// npm run bench -- web/scroll, beside npm run dev: main thread per scrolled frame against a plain scrolling page, and key to paint.
import type { CDPSession, Page } from 'playwright-core'
import { startBrowser } from '../../tests/reference/browser.ts'
import { median } from '../measure.ts'
import { leadRow, openDemo, openLeads } from './demo-browser.ts'

const frames = 120
const pixelsPerFrame = 160
const presses = 60

export async function run(): Promise<void> {
  const browser = await startBrowser()
  const context = await openDemo(browser)
  const list = await openLeads(context)
  const plain = await context.newPage()
  await plain.setContent(
    `<div role="grid" style="height: 800px; overflow: auto">${'<p>A row of text</p>'.repeat(2_000)}</div>`,
  )
  const fixed = await openLeads(context)
  await fixed.evaluate(copyRowsScript)
  const pages = { list, 'the same rows without React': fixed, 'lines of text': plain }
  const times = Object.entries(pages).map(([name, page]) => ({ name, page, rounds: [] as number[] }))
  for (let round = 0; round < 5; round++)
    for (const { page, rounds } of times) {
      await page.bringToFront()
      rounds.push(await measureScroll(page))
    }
  const [perFrame, ...baselines] = times.map(({ rounds }) => median(rounds))
  for (const { name, rounds } of times) console.log(`main thread per frame, ${name}: ${median(rounds).toFixed(2)} ms`)
  console.log(`elements of the list: ${await list.locator(leadRow).count()} rows`)
  await list.bringToFront()
  const delays = await measureKeys(list)
  console.log(
    `key to paint, ${presses} presses: median ${median(delays)} ms, p95 ${delays.toSorted((a, b) => a - b)[Math.floor(presses * 0.95)]} ms, goal 100 ms`,
  )
  console.log(`ratio: ${baselines.map((baseline) => (perFrame! / baseline).toFixed(2)).join(' and ')}`)
  process.exit(0)
}

/** Replaces the list by 2,000 copies of its rows that nothing updates. */
const copyRowsScript = `(() => {
  const grid = document.querySelector('[role=grid]')
  const rows = [...grid.querySelectorAll('${leadRow}')]
  const copy = grid.cloneNode(true)
  const group = copy.querySelector('[role=rowgroup]')
  const height = rows[0].offsetHeight
  group.style.height = 2_000 * height + 'px'
  group.replaceChildren(...Array.from({ length: 2_000 }, (_, index) => {
    const row = rows[index % rows.length].cloneNode(true)
    row.style.transform = 'translateY(' + index * height + 'px)'
    return row
  }))
  grid.replaceWith(copy)
})()`

/** Scrolls down and up, one step per frame. */
const scrollScript = `new Promise((resolve) => {
  const element = document.querySelector('[role=grid]')
  let frame = 0
  const step = () => {
    element.scrollTop += (Math.floor(frame / 40) % 2 ? -1 : 1) * ${pixelsPerFrame}
    frame += 1
    if (frame < ${frames}) requestAnimationFrame(step)
    else resolve()
  }
  requestAnimationFrame(step)
})`

const pressScript = (key: string) => `new Promise((resolve) => {
  const start = performance.now()
  const press = new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true })
  document.querySelector('[role=grid]').dispatchEvent(press)
  requestAnimationFrame(() => setTimeout(() => resolve(Math.round(performance.now() - start))))
})`

const taskSeconds = async (session: CDPSession): Promise<number> =>
  (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value

async function measureScroll(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const before = await taskSeconds(session)
  await page.evaluate(scrollScript)
  return ((await taskSeconds(session)) - before) * (1_000 / frames)
}

/** Milliseconds from each key to the next paint. */
async function measureKeys(page: Page): Promise<number[]> {
  await page.locator('[role=grid]').focus()
  const delays: number[] = []
  for (let press = 0; press < presses; press++)
    delays.push(await page.evaluate(pressScript(press % 20 < 10 ? 'j' : 'k')))
  return delays
}
