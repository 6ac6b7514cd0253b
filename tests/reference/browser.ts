import { execFileSync } from 'node:child_process'
import { after } from 'node:test'
import { type Browser, chromium } from 'playwright-core'

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** Starts the Chromium of this machine; it is closed when the test file ends. */
export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: flags })
  after(() => browser.close())
  return browser
}

function chromiumPath(): string {
  try {
    return execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
  } catch {
    throw new Error('chromium was not found on the PATH. Install it with: apt-get install chromium')
  }
}
