import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { password, type TestUser, waitUntil } from '#testing'
import { buildWeb, isWebOutdated } from '../../src/dev/build-web.ts'
import { startPages, visibleField } from '../pages/browser-pages.ts'

type SignInOptions = BrowserContextOptions & {
  /** The path that is opened after sign-in. */
  path?: string
  /** Signs in at the sign-in page, which costs a page and the hash of a password, instead of continuing a session. */
  withPassword?: boolean
  /** Home asks the user for the focus, as it does once for every user. */
  asksForFocus?: boolean
}

/** A phone: lists are cards, panels cover the page. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Builds the web application once and starts the application with it. All files of a process share both. */
export async function startWeb() {
  if (isWebOutdated()) buildWeb()
  const pages = await startPages({ WEB_FILES: 'web/dist' })

  /** Opens a separate browser context with a session of the user and waits for the shell of the application. */
  async function openSignedIn(
    workspace: SignInWorkspace,
    user: Pick<TestUser, 'email' | 'userId'>,
    { path = '/', withPassword = false, asksForFocus = false, ...options }: SignInOptions = {},
  ) {
    if (!asksForFocus) await answerFocusQuestion(workspace, user.userId)
    const browser = await pages.openBrowser(options)
    const origin = pages.originOf(workspace)
    const page = await (withPassword
      ? openWithPassword(browser, `${origin}/login#return_to=${encodeURIComponent(path)}`, user.email)
      : openWithCookie(browser, origin + path, (await workspace.signIn(user.userId)).refreshToken))
    await waitForShell(page)
    return { ...browser, page, origin }
  }
  return { ...pages, openSignedIn }
}

export type Workspace = Awaited<ReturnType<Awaited<ReturnType<typeof startWeb>>['tenant']>>

type SignInWorkspace = {
  id: string
  host: string
  signIn(userId: string): Promise<{ refreshToken: string }>
  sql(text: string, values: unknown[]): Promise<unknown>
}
type Browser = { context: BrowserContext; open(url: string): Promise<Page> }

const answerFocusQuestion = ({ id, sql }: SignInWorkspace, userId: string) =>
  sql(
    `insert into identity.user_preferences (tenant_id, user_id, collapsed) values ($1, $2, '{focus}') on conflict do nothing`,
    [id, userId],
  )

/** Continues a session as a returning user does: the page exchanges the cookie for an access token. */
async function openWithCookie({ context, open }: Browser, url: string, refreshToken: string): Promise<Page> {
  const cookie = { name: 'refresh', value: refreshToken, url, httpOnly: true, sameSite: 'Strict' } as const
  await context.addCookies([{ ...cookie, url: new URL(url).origin }])
  return await open(url)
}

/** Signs in by keyboard. */
async function openWithPassword({ open }: Browser, url: string, email: string): Promise<Page> {
  const page = await open(url)
  await typeCredentials(page, email)
  return page
}

async function typeCredentials(page: Page, email: string): Promise<void> {
  await page.locator('#sign-in [type=submit]:enabled').waitFor()
  await visibleField(page, 'Email address').focus()
  await page.keyboard.type(email)
  await visibleField(page, 'Password').focus()
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}

/** In every language. */
export const waitForShell = (page: Page): Promise<void> =>
  page.getByRole('navigation').filter({ visible: true }).first().waitFor()

/** The next request that writes reaches the server, and its response is lost. */
export const loseResponse = (page: Page): Promise<void> =>
  page.evaluate(`(() => {
    const send = globalThis.fetch
    globalThis.fetch = async (request) => {
      const response = await send(request)
      if (request.method === 'GET') return response
      globalThis.fetch = send
      throw new TypeError('The response is lost.')
    }
  })()`)

/** The parts of the shell that load when the browser has nothing else to do. */
export const sessionParts = ['command-menu', 'menu-popup', 'session-dialogs', 'reauthentication-dialog', 'task-strip']

/** Waits until the files of these parts have arrived. */
export const waitForFiles = (page: Page, names: readonly string[]): Promise<void> =>
  waitUntil(() =>
    page.evaluate(`(() => {
      const links = [...document.querySelectorAll('link[rel=modulepreload]')].map(({ href }) => href)
      const areRequested = ${JSON.stringify(names)}.every((name) => links.some((href) => href.includes(name)))
      return areRequested && links.every((href) => performance.getEntriesByName(href).length > 0)
    })()`),
  )
