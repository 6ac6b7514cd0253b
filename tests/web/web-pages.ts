import type { BrowserContextOptions, Page } from 'playwright-core'
import { password, type TestUser } from '#testing'
import { buildWeb, isWebOutdated } from '../../src/dev/build-web.ts'
import { startPages, visibleField } from '../pages/browser-pages.ts'

type SignInOptions = BrowserContextOptions & {
  /** The path that is opened after sign-in. */
  path?: string
}

/** A phone: lists are cards, panels cover the page. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Builds the web application once and starts the application with it. All files of a process share both. */
export async function startWeb() {
  if (isWebOutdated()) buildWeb()
  const pages = await startPages({ WEB_FILES: 'web/dist' })

  /** Signs in by keyboard in a separate browser context and waits for the shell of the application. */
  async function openSignedIn(
    workspace: { host: string },
    user: Pick<TestUser, 'email'>,
    { path = '/', ...options }: SignInOptions = {},
  ) {
    const browser = await pages.openBrowser(options)
    const origin = pages.originOf(workspace)
    const page = await browser.open(`${origin}/login#return_to=${encodeURIComponent(path)}`)
    await typeCredentials(page, user.email)
    await waitForShell(page)
    return { ...browser, page, origin }
  }
  return { ...pages, openSignedIn }
}

async function typeCredentials(page: Page, email: string): Promise<void> {
  await page.locator('#sign-in [type=submit]:enabled').waitFor()
  await visibleField(page, 'Email address').focus()
  await page.keyboard.type(email)
  await visibleField(page, 'Password').focus()
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}

export const waitForShell = (page: Page): Promise<void> =>
  page.getByRole('navigation', { name: 'Main' }).filter({ visible: true }).waitFor()

/** Returns by how many pixels the page is wider than the screen. */
export const measureOverflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
