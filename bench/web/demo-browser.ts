import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { demo } from '../../src/dev/demo-workspace.ts'

const home = process.env.DEV_HOME ?? join(import.meta.dirname, '../../.dev')
const port = Number(process.env.PORT || 3000)

/** The workspace of a running `npm run dev`. */
export const origin = `http://${demo.slug}.localhost:${port}`

/** Signs in once; further pages of the context continue the session with its cookie. */
export async function openDemo(browser: Browser): Promise<BrowserContext> {
  const { password } = JSON.parse(readFileSync(join(home, 'state.json'), 'utf8')) as { password: string }
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } })
  const page = await context.newPage()
  // Signs in from a page, because Node does not resolve the names below localhost on every machine.
  await page.goto(`${origin}/login`)
  const login = { email: demo.email, password, refresh_token_delivery: 'cookie' }
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(login) }
  const status = await page.evaluate(
    `fetch('/api/auth/login', ${JSON.stringify(request)}).then(({ status }) => status)`,
  )
  if (status !== 200) throw new Error(`Signing in to ${origin} failed with ${status}. Start npm run dev first.`)
  await page.close()
  return context
}

export const leadRow = '[role=row][aria-rowindex]'

/** Opens the lead list and waits until it has rows. */
export async function openLeads(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${origin}/leads?view=all`)
  await page.locator(leadRow).first().waitFor()
  return page
}
