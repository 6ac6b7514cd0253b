import { execFileSync } from 'node:child_process'
import { type Browser, chromium } from 'playwright-core'
import { releaseAtEnd } from '../../src/testing/process-end.ts'

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

let browser: Promise<Browser> | undefined

/** Starts the Chromium of this machine, which the test files of a process share. */
export async function startBrowser(): Promise<Browser> {
  if (!browser) {
    browser = chromium.launch({ executablePath: chromiumPath(), args: flags })
    releaseAtEnd(async () => (await browser)?.close())
  }
  // A new promise: tests of a file that waits for a promise of another file would become tests of that file.
  return await browser
}

function chromiumPath(): string {
  try {
    return execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
  } catch {
    throw new Error('chromium was not found on the PATH. Install it with: apt-get install chromium')
  }
}
