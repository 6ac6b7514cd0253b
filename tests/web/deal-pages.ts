import type { Page } from 'playwright-core'

/** A lane of the board, by the name of its stage. */
export const laneOf = (page: Page, stage: string) =>
  page.getByRole('region', { name: new RegExp(`^${stage}, \\d+ deal`) })

export const cardOf = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}, `) })

export const isInStage = (page: Page, name: string, stage: string) =>
  laneOf(page, stage)
    .getByRole('button', { name: new RegExp(`^${name}, `) })
    .waitFor()

export const showsToast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()

export const readFocusedName = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")

const quietMs = 300

/** Follows the requests of a page. `waitUntilQuiet` ends when none is under way for a moment. */
export function followRequests(page: Page) {
  const paths: string[] = []
  const underWay = new Set<object>()
  let lastChange = Date.now()
  page.on('request', (request) => {
    paths.push(new URL(request.url()).pathname)
    // Loading the page again ends the requests of before.
    if (request.isNavigationRequest()) underWay.clear()
    underWay.add(request)
    lastChange = Date.now()
  })
  const end = (request: object) => {
    underWay.delete(request)
    lastChange = Date.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  const waitUntilQuiet = async () => {
    while (underWay.size > 0 || Date.now() - lastChange < quietMs) await page.waitForTimeout(quietMs / 3)
  }
  return { paths, waitUntilQuiet }
}

/** Presses keys faster than the page can show what the first one does. */
export const pressAtOnce = (page: Page, ...keys: string[]): Promise<void> =>
  page.evaluate(`for (const key of ${JSON.stringify(keys)})
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`)
