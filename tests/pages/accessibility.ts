import { readFileSync } from 'node:fs'
import type axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'

// Half as long as the source that the package exports, which takes longer to compile than to run.
const source = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Runs all rules of axe-core in a page or in a part of it, except in frames, which contain documents, and in the elements with
 * which Base UI keeps the focus in a menu. An open menu belongs to its button and is outside of all landmarks. `rules` restricts
 * them. Rules about the whole page, such as its landmarks, run for a page only.
 */
export async function findAccessibilityProblems(scope: Page | Locator, rules?: readonly string[]): Promise<string[]> {
  const part = isPage(scope) ? scope.locator('html') : scope
  const page = part.page()
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source)
  return await part.evaluate(runRules, rules as string[] | undefined)
}

const isPage = (scope: Page | Locator): scope is Page => 'goto' in scope

/** Runs in the browser. */
async function runRules(element: unknown, rules: string[] | undefined): Promise<string[]> {
  const { run } = (globalThis as unknown as { axe: typeof axe }).axe
  const { violations } = await run(
    { include: [element as string], exclude: ['[data-base-ui-focus-guard]'] },
    { iframes: false, resultTypes: ['violations'], ...(rules && { runOnly: rules }) },
  )
  const isMenu = (id: string, html: string) => id === 'region' && html.includes('role="menu"')
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => !isMenu(id, html))
      .map(({ html, failureSummary }) => [id, html, failureSummary].join(': ')),
  )
}
