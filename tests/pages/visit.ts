import type { BrowserContext } from 'playwright-core'
import { freePort, startTestApp } from '#testing'
import { startBrowser } from '../reference/browser.ts'

type Given = { port?: number; environment?: Record<string, string> }

/** Workspaces that a browser can reach: Chromium finds every name below localhost on this machine. */
export async function startPages({ port: given, environment = {} }: Given = {}) {
  const port = given ?? (await freePort())
  const address = { APP_DOMAIN: 'localhost', APP_SCHEME: 'http', APP_PORT: String(port) }
  const app = await startTestApp({ ...address, ...environment })
  await app.startTestWorker()
  await app.app.listen({ host: '127.0.0.1', port })
  const browser = await startBrowser()

  const originOf = ({ host }: { host: string }) => `http://${host}:${port}`

  /** Somebody with a browser of their own. Complaints of the page, and what its policy refused, are remembered. */
  async function visitor(options: { javaScriptEnabled?: boolean } = {}) {
    const context = await browser.newContext(options)
    const complaints: string[] = []
    const posted: string[] = []
    context.on('console', (message) => {
      const isAnswer = message.text().startsWith('Failed to load resource')
      if (['error', 'warning'].includes(message.type()) && !isAnswer) complaints.push(message.text())
    })
    context.on('weberror', (error) => complaints.push(error.error().message))
    context.on('request', (request) => {
      if (request.method() === 'POST') posted.push(new URL(request.url()).pathname)
    })
    await keepHere(context)
    await context.addInitScript(`document.addEventListener('securitypolicyviolation', (refusal) =>
      console.error('the policy refused', refusal.violatedDirective, refusal.blockedURI))`)
    const open = async (url: string) => {
      const page = await context.newPage()
      await page.goto(url)
      return page
    }
    return { context, complaints, posted, open }
  }

  /** The link of the newest of so many mails to an address. */
  async function mailedLink(email: string, count = 1): Promise<string> {
    const mail = (await app.mails(email, count)).at(count - 1)
    return /http:\S+#token=[\w-]{43}/.exec(mail?.text ?? '')![0]
  }
  return { ...app, originOf, visitor, mailedLink }
}

const isHere = (hostname: string) => hostname === '127.0.0.1' || hostname.endsWith('localhost')

/** Whatever a page of somebody else wants from elsewhere, such as a typeface, it does not get. */
export const keepHere = (context: BrowserContext) =>
  context.route(
    ({ hostname }) => !isHere(hostname),
    (route) => route.abort(),
  )

export type OpenPage = Awaited<
  ReturnType<Awaited<ReturnType<Awaited<ReturnType<typeof startPages>>['visitor']>>['open']>
>

/** A field people see, by what is written next to it. */
export const field = (page: OpenPage, label: string) =>
  page.getByLabel(label, { exact: true }).filter({ visible: true })

export async function signIn(page: OpenPage, email: string, password: string): Promise<void> {
  await field(page, 'E-mail address').fill(email)
  await field(page, 'Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Waits until the page greets somebody. */
export const untilSignedIn = (page: OpenPage, who: string): Promise<void> =>
  page.locator('#signed-in').getByText(`Signed in as ${who}`).waitFor()
