// Tests `npm run dev` with a browser.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBrowser } from '../reference/browser.ts'
import { blockExternalRequests, type OpenPage, signIn, visibleField } from './browser-pages.ts'

const home = await mkdtemp(join(tmpdir(), 'tributary-dev-'))
await chmod(home, 0o755)
let output = ''
const development = start()
const browser = await startBrowser()
after(async () => {
  await stop(development)
  await rm(home, { recursive: true, force: true })
})

function start(): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/dev.ts')], {
    env: { PATH: process.env.PATH, DEV_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout!.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}

async function waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
  for (let tries = 0; tries < 600; tries++) {
    const match = pattern.exec(output)
    if (match) return match
    await sleep(100)
  }
  throw new Error(`${pattern} was not printed:\n${output}`)
}

async function newPage(): Promise<OpenPage> {
  const context = await browser.newContext()
  await blockExternalRequests(context)
  return await context.newPage()
}

const waitForGreeting = (page: OpenPage, email: string) => page.locator('#signed-in').getByText(email).waitFor()

test('a new developer signs in with the printed password, an emailed link and both providers', async () => {
  const [, origin] = await waitForOutput(/workspace +(http:\S+)/)
  const [, email, password] = await waitForOutput(/sign in +(\S+) +(\S+)/)
  const page = await newPage()

  await page.goto(`${origin}/login`)
  await signIn(page, email!, password!)
  await waitForGreeting(page, email!)
  // Signing out reloads the page; a click before the reload would be lost.
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Sign out' }).click()])

  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await visibleField(page, 'Email address').fill(email!)
  await page.getByRole('button', { name: 'Send link' }).click()
  const [link] = await waitForOutput(/http:\S+\/reset-password#token=[\w-]{43}/)
  await page.goto(link)
  await visibleField(page, 'New password').fill('entirely different words')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('Password saved').waitFor()
  await page.goto(`${origin}/login`)
  await signIn(page, email!, 'entirely different words')
  await waitForGreeting(page, email!)

  for (const provider of ['Google', 'Okta']) {
    const providerPage = await newPage()
    await providerPage.goto(`${origin}/login`)
    await providerPage.getByRole('link', { name: `Sign in with ${provider}` }).click()
    await providerPage.locator('input[name=login]').fill(email!)
    await providerPage.locator('input[name=password]').fill('any')
    await providerPage.locator('[type=submit]').click()
    await waitForGreeting(providerPage, email!)
    assert.equal(providerPage.url(), `${origin}/auth/complete`)
  }
})
