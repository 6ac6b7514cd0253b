import type { Locator, Page } from 'playwright-core'
import { findAccessibilityProblems } from '../pages/accessibility.ts'
import { measureOverflow } from './web-pages.ts'

/**
 * Returns accessibility problems of a page or of a part of it in both themes, and by how much the page is wider than the screen.
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
  const overflow = await measureOverflow(page)
  return overflow > 0 ? [...problems, `${overflow} px wider than the screen`] : problems
}

/** Both themes, the current one first, because each change draws the whole page again. */
async function listThemes(page: Page): Promise<('light' | 'dark')[]> {
  const theme = await page.locator('html').getAttribute('data-theme')
  return theme === 'dark' ? ['dark', 'light'] : ['light', 'dark']
}

const desktopWidth = 1440

/** Returns the widths at which the page is wider than the screen. Leaves it at the width of a desktop. */
export async function findOverflowingWidths(page: Page): Promise<number[]> {
  const found: number[] = []
  for (const width of [320, 390, 768, 2560, desktopWidth]) {
    await page.setViewportSize({ width, height: 900 })
    if ((await measureOverflow(page)) > 0) found.push(width)
  }
  return found
}
