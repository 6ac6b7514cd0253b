import type { Locator, Page, Request } from 'playwright-core'
import { waitUntil } from '#testing'
import { findAccessibilityProblems } from '../pages/accessibility.ts'
import { findCutParts, findUnnamedFields, findUnreachableControls } from './page-layout.ts'

/**
 * Returns accessibility problems of a page or of a part of it in both themes, and what the edges of the screen cut off.
 * Tests of one flow check the dialog, menu or panel that it opens, because `screens.ts` covers the pages.
 */
export async function findProblems(scope: Page | Locator): Promise<string[]> {
  const page = 'page' in scope ? scope.page() : scope
  const problems: string[] = []
  for (const colorScheme of await listThemes(page)) {
    // Colors between those of two themes have no contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
    // A theme changes colors only.
    const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined
    problems.push(...(await findAccessibilityProblems(scope, rules)).map((problem) => `${colorScheme}: ${problem}`))
  }
  const found = [await findUnnamedFields(page), await findUnreachableControls(page), await findCutParts(page)]
  return [...problems, ...found.flat()]
}

/** Both themes, the current one first, because each change draws the whole page again. */
async function listThemes(page: Page): Promise<('light' | 'dark')[]> {
  const theme = await page.locator('html').getAttribute('data-theme')
  return theme === 'dark' ? ['dark', 'light'] : ['light', 'dark']
}

const desktopWidth = 1440

/** Returns what is cut off at any width, from small phones to large screens. Leaves the page at the width of a desktop. */
export async function findCutPartsOfWidths(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const width of [320, 390, 768, 2560, desktopWidth]) {
    await page.setViewportSize({ width, height: 900 })
    for (const part of await findCutParts(page)) found.push(`at ${width} px, ${part}`)
  }
  return found
}

/** A page without data, whose address is not that of any screen. */
export const neutral = { path: '/nowhere', text: 'This page does not exist' }

export const waitForText = (page: Page, text: string): Promise<void> =>
  page.getByText(text).filter({ visible: true }).first().waitFor()

/** Follows a path like a link, because loading the application and axe costs more than a check. Leaves the screen before first. */
export async function follow(page: Page, path: string, neutralText = neutral.text): Promise<void> {
  const navigate = (to: string) => page.evaluate(`history.pushState(null, '', ${JSON.stringify(to)})`)
  await navigate(neutral.path)
  await waitForText(page, neutralText)
  await navigate(path)
}

/** Responses that the application keeps for the session: the user and what many records refer to. */
const ofSession = [
  /^GET \/api\/auth\/(me|preferences)$/,
  /^POST \/api\/(auth\/refresh|client-errors)$/,
  /^GET \/api\/users\/[\da-f-]{36}$/,
  /^GET \/api\/opportunities\/pipelines$/,
  /^GET \/api\/leads\/(sources|scoring-config)$/,
  /^GET \/api\/custom-fields$/,
]

/** Longer than cached responses are fresh. */
const agedMs = 60_000

/** Lets the page read its data again, as after a while, because loading the application costs more than a screen. */
const ageCache = (page: Page): Promise<void> =>
  page.evaluate(`(() => { const now = Date.now; Date.now = () => now() + ${agedMs} })()`)

/** Returns the API requests of a screen from its opening until none is under way, as if everything before was long ago. */
export async function listRequests(page: Page, show: () => Promise<void>): Promise<string[]> {
  await ageCache(page)
  return await listNewRequests(page, show)
}

/** Returns the API requests of a screen that follows another one at once. */
export async function listNewRequests(page: Page, show: () => Promise<void>): Promise<string[]> {
  const started: string[] = []
  const pending = new Set<Request>()
  const describe = (request: Request) => `${request.method()} ${new URL(request.url()).pathname}`
  const onStart = (request: Request) => {
    if (!new URL(request.url()).pathname.startsWith('/api/')) return
    pending.add(request)
    if (!ofSession.some((pattern) => pattern.test(describe(request)))) started.push(describe(request))
  }
  const onEnd = (request: Request) => void pending.delete(request)
  page.on('request', onStart).on('requestfinished', onEnd).on('requestfailed', onEnd)
  await show()
  await waitUntil(() => Promise.resolve(pending.size === 0))
  page.off('request', onStart).off('requestfinished', onEnd).off('requestfailed', onEnd)
  return started
}
