// What a developer gets: `npm run dev` as it is, and somebody with a browser.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBrowser } from '../reference/browser.ts'
import { field, keepHere, type OpenPage, signIn } from './visit.ts'

const home = await mkdtemp(join(tmpdir(), 'tributary-dev-'))
await chmod(home, 0o755)
let printed = ''
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
    printed += chunk.toString()
  })
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}

/** What appears in the terminal, sooner or later. */
async function untilPrinted(pattern: RegExp): Promise<RegExpExecArray> {
  for (let tries = 0; tries < 600; tries++) {
    const found = pattern.exec(printed)
    if (found) return found
    await sleep(100)
  }
  throw new Error(`${pattern} was not printed:\n${printed}`)
}

/** In a browser of its own. */
async function newPage(): Promise<OpenPage> {
  const context = await browser.newContext()
  await keepHere(context)
  return await context.newPage()
}

const untilGreeted = (page: OpenPage, email: string) => page.locator('#signed-in').getByText(email).waitFor()

test('somebody new comes in with the printed password, by a mailed link and through both providers', async () => {
  const [, origin] = await untilPrinted(/workspace +(http:\S+)/)
  const [, email, password] = await untilPrinted(/sign in +(\S+) +(\S+)/)
  const page = await newPage()

  await page.goto(`${origin}/login`)
  await signIn(page, email!, password!)
  await untilGreeted(page, email!)
  await page.getByRole('button', { name: 'Sign out' }).click()

  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await field(page, 'E-mail address').fill(email!)
  await page.getByRole('button', { name: 'Send the link' }).click()
  const [link] = await untilPrinted(/http:\S+\/reset-password#token=[\w-]{43}/)
  await page.goto(link)
  await field(page, 'New password').fill('entirely different words')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await page.getByText('Your password is saved').waitFor()
  await page.goto(`${origin}/login`)
  await signIn(page, email!, 'entirely different words')
  await untilGreeted(page, email!)

  for (const provider of ['Google', 'Okta']) {
    const visitor = await newPage()
    await visitor.goto(`${origin}/login`)
    await visitor.getByRole('link', { name: `Sign in with ${provider}` }).click()
    await visitor.locator('input[name=login]').fill(email!)
    await visitor.locator('input[name=password]').fill('any')
    await visitor.locator('[type=submit]').click()
    await untilGreeted(visitor, email!)
    assert.equal(visitor.url(), `${origin}/auth/complete`)
  }
})
