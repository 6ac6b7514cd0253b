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
]

/** The headless shell opens a page in a quarter of the processor time, but it shows no PDF. */
type Program = 'chromium-headless-shell' | 'chromium'

const browsers = new Map<Program, Promise<Browser>>()

/** Starts the Chromium of this machine, which the test files of a process share. */
export async function startBrowser(program: Program = 'chromium-headless-shell'): Promise<Browser> {
  const browser = browsers.get(program) ?? chromium.launch({ executablePath: findProgram(program), args: flags })
  if (!browsers.has(program)) releaseAtEnd(async () => (await browser).close())
  browsers.set(program, browser)
  // A new promise: tests of a file that waits for a promise of another file would become tests of that file.
  return await browser
}

function findProgram(program: Program): string {
  try {
    return execFileSync('which', [program], { encoding: 'utf8' }).trim()
  } catch {
    throw new Error(`${program} was not found on the PATH. Install it with: apt-get install ${program}`)
  }
}
