import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Runs all rules of axe-core in the page, except in frames, which contain documents, and in the elements with which Base UI keeps
 * the focus in a menu. An open menu belongs to its button and is outside of all landmarks.
 */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return await page.evaluate(`(async () => {
    const { violations } = await axe.run({ exclude: [['[data-base-ui-focus-guard]']] }, { iframes: false })
    const isMenu = (id, html) => id === 'region' && html.includes('role="menu"')
    return violations.flatMap(({ id, nodes }) => nodes
      .filter(({ html }) => !isMenu(id, html))
      .map(({ html, failureSummary }) => [id, html, failureSummary].join(': ')))
  })()`)
}
