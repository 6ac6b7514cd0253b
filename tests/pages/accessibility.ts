import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Runs all rules of axe-core in the page, except in frames, which contain documents. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return await page.evaluate(`(async () => {
    const { violations } = await axe.run(document, { iframes: false })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(': ')))
  })()`)
}
