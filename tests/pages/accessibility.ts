import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Runs all rules of axe-core in the page, except in frames, which contain documents. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  return await page.evaluate(`(async () => {
    const module = { exports: {} }
    ;((module, exports) => { ${axe} })(module, module.exports)
    const { violations } = await module.exports.run(document, { iframes: false })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(': ')))
  })()`)
}
