// Tests the first ten minutes with the product: `npm run dev`, a browser, and a first program. `npm run nightly` starts it in new
// checkouts, several times and as another user.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isNightly } from '../nightly/is-nightly.ts'
import { startBrowser } from '../reference/browser.ts'
import { type OpenPage, signIn, visibleField } from './browser-pages.ts'
import { type Checkout, copyCheckout, useOwnCheckout } from './checkout.ts'

const isRoot = process.getuid?.() === 0
const ownCheckout = isNightly ? await copyCheckout() : await useOwnCheckout()
const otherCheckout = isNightly && isRoot ? await copyCheckout({ owner: 'daemon' }) : undefined
const portHolder = createServer().listen(0, '127.0.0.1')
await once(portHolder, 'listening')
const { port: usedPort } = portHolder.address() as AddressInfo
const started: ChildProcess[] = []
const browser = await startBrowser()
after(async () => {
  for (const child of started) await stop(child, 'SIGTERM')
  portHolder.close()
  await ownCheckout.remove()
  await otherCheckout?.remove()
})

type Start = { user?: string; hasSampleData?: boolean }

function startDevelopment({ folder, environment }: Checkout, { user, hasSampleData = false }: Start = {}) {
  const [command, ...args] = [...(user ? ['runuser', '-u', user, '--'] : []), 'npm', 'run', '--silent', 'dev']
  const settings = { LANG: 'C.UTF-8', DEV_SAMPLE_DATA: String(hasSampleData), PORT: String(usedPort) }
  const child = spawn(command!, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...settings, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, as in a terminal.
    detached: true,
  })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  return {
    child,
    output: () => output,
    async waitForOutput(pattern: RegExp, seconds = 90): Promise<RegExpExecArray> {
      for (let tries = 0; tries < seconds * 10 && child.exitCode === null; tries++) {
        const match = pattern.exec(output)
        if (match) return match
        await sleep(100)
      }
      throw new Error(`${pattern} was not printed:\n${output}`)
    },
  }
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'close')
  process.kill(-child.pid!, signal)
  await exited
}

async function newPage(): Promise<OpenPage> {
  const context = await browser.newContext()
  return await context.newPage()
}

async function chooseFocus(page: OpenPage): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: /^Sell/ }).click()
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.getByRole('button', { name: 'Continue' }).click()
  await (await saved).finished()
}

const waitForGreeting = (page: OpenPage) => page.getByRole('heading', { name: /^Good \w+, Alex$/ }).waitFor()

// Loading the sample data takes a minute of processor time.
const ownDevelopment = startDevelopment(ownCheckout, { hasSampleData: isNightly })

test('a new developer signs in, creates an API key and makes a first call', async () => {
  const { waitForOutput, output } = ownDevelopment
  const [, origin] = await waitForOutput(/workspace +(http:\S+)/)
  const [, email, password] = await waitForOutput(/sign in +(\S+) +(\S+)/)
  const [, programOrigin] = await waitForOutput(/programs +(http:[^\s,]+)/)
  const [printedAtStart] = [output()]
  const page = await newPage()

  await page.goto(origin!)
  await page.getByRole('heading', { name: /^Sign in to / }).waitFor()
  await signIn(page, email!, password!)
  await chooseFocus(page)
  await waitForGreeting(page)
  await page.reload()
  await waitForGreeting(page)
  await page.goto(`${origin}/settings/api-keys`)
  await page.getByRole('button', { name: 'Create API key' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('First program')
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click()
  const key = (await page.getByRole('dialog', { name: 'Copy your new key now' }).locator('pre').first().textContent())!
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${programOrigin}/api/users/`, { headers })
  const users = (await response.json()) as { email: string }[]

  assert.match(printedAtStart!, new RegExp(`^Port ${usedPort} is in use, so the API uses port \\d+`, 'm'))
  assert.doesNotMatch(printedAtStart!, /email to|WARNING|"level"/)
  assert.equal(response.status, 200)
  assert.ok(users.some((user) => user.email === email))
})

if (isNightly) {
  test('a link to a room of the sample data is printed after the load, and opens without a sign-in', async () => {
    const [, link] = await ownDevelopment.waitForOutput(/room +(http:\S+\/r\/\S+)/, 300)

    const { pathname, port } = new URL(link!)
    const response = await fetch(`http://localhost:${port}${pathname}`)

    assert.equal(response.status, 200)
    assert.match(await response.text(), /<h1[^>]*>Group contract for Falconridge Capital/)
  })

  test('closing the terminal stops everything, and the next start finds the same workspace', async () => {
    const first = ownDevelopment.child
    const second = startDevelopment(ownCheckout)
    await once(second.child, 'close')
    await stop(first, 'SIGHUP')
    const { waitForOutput, child, output } = startDevelopment(ownCheckout)
    const [, origin] = await waitForOutput(/workspace +(http:\S+)/)
    const [, email, password] = await waitForOutput(/sign in +(\S+) +(\S+)/)
    const page = await newPage()

    await page.goto(`${origin}/login`)
    await signIn(page, email!, password!)
    await waitForGreeting(page)
    await page.getByRole('button', { name: 'Your account' }).click()
    await Promise.all([page.waitForURL('**/login*'), page.getByRole('menuitem', { name: 'Sign out' }).click()])
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await visibleField(page, 'Email address').fill(email!)
    await page.getByRole('button', { name: 'Send link' }).click()
    const [link] = await waitForOutput(/http:\S+\/reset-password#token=[\w-]{43}/)
    await page.goto(link)
    await visibleField(page, 'New password').fill('entirely different words')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByText('Password saved').waitFor()
    await stop(child, 'SIGINT')

    assert.match(second.output(), /^Already running, pid \d+\. /m)
    assert.match(output(), /Stopped\.\s*$/)
    assert.doesNotMatch(output(), /"level"/)
  })

  test('after a password change single sign-on still works and the old password is not printed', async () => {
    const { waitForOutput } = startDevelopment(ownCheckout)
    const [, origin] = await waitForOutput(/workspace +(http:\S+)/)
    const [, email] = await waitForOutput(/sign in +(\S+) +The password was changed/)

    for (const provider of ['Google', 'Okta']) {
      const page = await newPage()
      await page.goto(`${origin}/login`)
      await page.getByRole('link', { name: `Sign in with ${provider}` }).click()
      await page.locator('input[name=login]').fill(email!)
      await page.locator('input[name=password]').fill('any')
      await page.locator('[type=submit]').click()
      await waitForGreeting(page)
      assert.equal(page.url(), `${origin}/`)
    }
  })
}

if (otherCheckout)
  test('a user without administrator rights can start it', async () => {
    const { waitForOutput } = startDevelopment(otherCheckout, { user: 'daemon' })
    const [, origin] = await waitForOutput(/programs +(http:[^\s,]+)/)
    const [, email, password] = await waitForOutput(/sign in +(\S+) +(\S+)/)

    const response = await fetch(`${origin}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })

    assert.equal(response.status, 200)
  })
