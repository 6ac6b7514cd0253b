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

/** Writes pictures of the page in both themes, if they are asked for. */
export async function savePictures(page: Page, name: string): Promise<void> {
  if (!areWritten) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await saveScreenshot(page, `${name}-${page.viewportSize()!.width}-${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
