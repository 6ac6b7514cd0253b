import { execFileSync } from 'node:child_process'
import { type Browser, chromium } from 'playwright-core'
import { releaseAtEnd } from '../../src/testing/process-end.ts'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages reach only this machine. Intercepting their requests instead would switch off the cache of files and compiled scripts.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE *.localhost , EXCLUDE 127.0.0.1',
]

/** The headless shell opens a page in a quarter of the processor time, but it shows no PDF. */
type Program = 'chromium-headless-shell' | 'chromium'

/** A camera and a microphone that show a moving picture and beep, and that pages may use without a question. */
const cameraFlags = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

const browsers = new Map<string, Promise<Browser>>()

/** Starts the Chromium of this machine, which the test files of a process share. */
export async function startBrowser(
  program: Program = 'chromium-headless-shell',
  { hasCamera = false } = {},
): Promise<Browser> {
  const key = `${program} ${hasCamera}`
  const args = hasCamera ? [...flags, ...cameraFlags] : flags
  const browser = browsers.get(key) ?? chromium.launch({ executablePath: findProgram(program), args })
  if (!browsers.has(key)) releaseAtEnd(async () => (await browser).close())
  browsers.set(key, browser)
  // A new promise: tests of a file that waits for a promise of another file would become tests of that file.
  return await browser
}

/** Pages that stay open read data and draw until the process ends. */
export async function closePages(browser: Browser): Promise<void> {
  for (const context of browser.contexts()) await context.close()
}

function findProgram(program: Program): string {
  try {
    return execFileSync('which', [program], { encoding: 'utf8' }).trim()
  } catch {
    throw new Error(`${program} was not found on the PATH. Install it with: apt-get install ${program}`)
  }
}
