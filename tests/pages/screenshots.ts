import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from 'playwright-core'

/** `SCREENS=1 npm test -- tests/pages` writes pictures of the pages for people, which cost as much as a check. */
const areWritten = Boolean(process.env.SCREENS)

/** Writes `tmp/screens/<name>.png` if pictures are asked for. */
export async function saveScreenshot(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  if (!areWritten) return
  const path = `tmp/screens/${name}.png`
  mkdirSync(dirname(path), { recursive: true })
  await page.screenshot({ path, ...options })
}
