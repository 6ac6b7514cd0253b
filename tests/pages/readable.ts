import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { findAccessibilityProblems } from './accessibility.ts'
import { saveScreenshot } from './screenshots.ts'

/** Rules whose result depends on the theme or the size of the window. The others are checked in one view of a page. */
const rulesOfViews = ['color-contrast', 'target-size']

type Options = { fullPage?: boolean; isOtherView?: boolean }

/** Checks that the page fits its width and has no accessibility problem. */
export async function assertReadable(page: Page, name: string, { fullPage = false, isOtherView }: Options = {}) {
  await saveScreenshot(page, name, { fullPage })
  await assertFits(page, name)
  const rules = isOtherView ? rulesOfViews : undefined
  assert.deepEqual(await findAccessibilityProblems(page, rules), [], name)
}

export async function assertFits(page: Page, name: string): Promise<void> {
  const [width, visible] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, window.innerWidth]',
  )
  assert.ok(width <= visible, `${name} is ${width} pixels wide, the window ${visible}`)
}
