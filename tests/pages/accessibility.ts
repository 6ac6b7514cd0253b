import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Runs all rules of axe-core in the page, except in frames, which contain documents, and in the elements with which Base UI keeps
 * the focus in a menu. An open menu belongs to its button and is outside of all landmarks. `rules` restricts them.
 */
export async function findAccessibilityProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const options = { iframes: false, resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  return await page.evaluate(`(async () => {
    const { violations } = await axe.run({ exclude: [['[data-base-ui-focus-guard]']] }, ${JSON.stringify(options)})
    const isMenu = (id, html) => id === 'region' && html.includes('role="menu"')
    return violations.flatMap(({ id, nodes }) => nodes
      .filter(({ html }) => !isMenu(id, html))
      .map(({ html, failureSummary }) => [id, html, failureSummary].join(': ')))
  })()`)
}
