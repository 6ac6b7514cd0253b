import type { Page } from 'playwright-core'
import { findAccessibilityProblems } from '../pages/accessibility.ts'
import { measureOverflow } from './web-pages.ts'

/** Returns accessibility problems in both themes, and by how much the page is wider than the screen. */
export async function findPageProblems(page: Page): Promise<string[]> {
  const problems: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
    await waitForTransitions(page)
    // A theme changes colors only.
    const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined
    problems.push(...(await findAccessibilityProblems(page, rules)).map((problem) => `${colorScheme}: ${problem}`))
  }
  const overflow = await measureOverflow(page)
  return overflow > 0 ? [...problems, `${overflow} px wider than the screen`] : problems
}

const finishTransitions = `Promise.all(document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition)
  .map(({ finished }) => finished.catch(() => {}))).then(() => {})`

/** Colors between those of two themes have no contrast. */
const waitForTransitions = (page: Page): Promise<unknown> => page.evaluate(finishTransitions)

/** Returns the widths at which the page is wider than the screen. */
export async function findOverflowingWidths(page: Page): Promise<number[]> {
  const found: number[] = []
  for (const width of [320, 390, 768, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    if ((await measureOverflow(page)) > 0) found.push(width)
  }
  return found
}
