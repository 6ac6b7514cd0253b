import { after, afterEach, beforeEach } from 'node:test'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import type { Environment } from '#platform/config'
import { startTestApp } from '#testing'
import { startBrowser } from '../reference/browser.ts'

/** Starts the application under localhost, because Chromium resolves all its subdomains to this machine. */
export async function startPages(environment: Environment = {}) {
  const contexts: BrowserContext[] = []
  // Pages that stay open follow the clock and read data again. Registered before the first await, as a hook of this file.
  const closeFrom = async (first: number) => {
    for (const context of contexts.splice(first)) await context.close()
  }
  let openBefore = 0
  after(() => closeFrom(0))
  beforeEach(() => {
    openBefore = contexts.length
  })
  afterEach(() => closeFrom(openBefore))
  const localhost = { APP_DOMAIN: 'localhost', APP_SCHEME: 'http', SAFE_FETCH_ALLOW_PRIVATE: 'true' }
  const app = await startTestApp({ ...localhost, ...environment }, { isShared: true })
  const port = Number(new URL(await app.app.listen({ host: '127.0.0.1', port: 0 })).port)
  // Only the server knows a port that is certainly free.
  Object.assign(app.config, { APP_PORT: port })
  await app.startTestWorker()
  const browser = await startBrowser()

  const originOf = ({ host }: { host: string }) => `http://${host}:${port}`

  /** Opens a separate browser context. Records console errors, CSP violations and the paths of POST requests. */
  async function openBrowser(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options)
    contexts.push(context)
    const errors: string[] = []
    const postedPaths: string[] = []
    context.on('console', (message) => {
      const isHttpError = message.text().startsWith('Failed to load resource')
      if (['error', 'warning'].includes(message.type()) && !isHttpError) errors.push(message.text())
    })
    context.on('weberror', (error) => errors.push(error.error().message))
    context.on('request', (request) => {
      if (request.method() === 'POST') postedPaths.push(new URL(request.url()).pathname)
    })
    await context.addInitScript(`document.addEventListener('securitypolicyviolation', (violation) =>
      console.error('CSP violation', violation.violatedDirective, violation.blockedURI))`)
    const open = async (url: string) => {
      const page = await context.newPage()
      await page.goto(url)
      return page
    }
    return { context, errors, postedPaths, open }
  }

  /** Waits for `count` emails to the address and returns the link of the newest. */
  async function readEmailedLink(email: string, count = 1): Promise<string> {
    const mail = (await app.mails(email, count)).at(count - 1)
    return /http:\S+#token=[\w-]{43}/.exec(mail?.text ?? '')![0]
  }
  return { ...app, originOf, openBrowser, readEmailedLink }
}

export type OpenPage = Awaited<
  ReturnType<Awaited<ReturnType<Awaited<ReturnType<typeof startPages>>['openBrowser']>>['open']>
>

export const visibleField = (page: OpenPage, label: string) =>
  page.getByLabel(label, { exact: true }).filter({ visible: true })

export async function signIn(page: OpenPage, email: string, password: string): Promise<void> {
  await visibleField(page, 'Email address').fill(email)
  await visibleField(page, 'Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export async function waitUntilSignedIn(page: OpenPage, user: string): Promise<void> {
  const signedIn = page.locator('#signed-in').getByText(`Signed in as ${user}`)
  const problem = page.getByRole('alert').filter({ hasText: /./ })
  await signedIn.or(problem).first().waitFor()
  if (!(await signedIn.isVisible())) throw new Error(`${page.url()} shows: ${await problem.textContent()}`)
}
