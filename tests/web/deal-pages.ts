import type { Page } from 'playwright-core'

/** A lane of the board, by the name of its stage. */
export const laneOf = (page: Page, stage: string) =>
  page.getByRole('region', { name: new RegExp(`^${stage}, \\d+ deal`) })

export const cardOf = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}, `) })

export const isInStage = (page: Page, name: string, stage: string) =>
  laneOf(page, stage)
    .getByRole('button', { name: new RegExp(`^${name}, `) })
    .waitFor()

export const showsToast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()

export const readFocusedName = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
