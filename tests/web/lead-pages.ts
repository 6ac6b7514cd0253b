import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { TestUser } from '#testing'
import { sessionParts, waitForFiles } from './web-pages.ts'

type StoredLead = { id: string; version: number; [field: string]: unknown }

/** Creates a lead of the user. The name becomes the email address, so that names must be unique in a workspace. */
export async function createLead(user: TestUser, name: string, fields: object = {}): Promise<StoredLead> {
  const [first_name, last_name] = name.split(' ')
  const email = `${first_name}.${last_name}@${last_name}.example`.toLowerCase()
  const lead = { first_name, last_name, email, company: `${last_name} Logistics`, owner_id: user.userId, ...fields }
  const { status, body } = await user.post('/api/leads/', lead)
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

export const getLead = async (user: TestUser, { id }: { id: string }): Promise<StoredLead> =>
  (await user.get(`/api/leads/${id}`)).body

export const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

export const grid = (page: Page) => page.getByRole('grid', { name: 'Leads' })

export const rowOf = (page: Page, name: string) => grid(page).getByRole('row').filter({ hasText: name })

/** The text of the active row, once it is loaded. */
export async function activeRow(page: Page): Promise<string> {
  const id = await grid(page).getAttribute('aria-activedescendant')
  return (await page.locator(`[id="${id}"]`).filter({ hasText: /\S/ }).textContent()) ?? ''
}

/** Whether the list shows the whole row. */
export async function isRowInView(page: Page, name: string): Promise<boolean> {
  const [row, list] = await Promise.all([rowOf(page, name).boundingBox(), grid(page).boundingBox()])
  return row!.y >= list!.y && row!.y + row!.height <= list!.y + list!.height
}

/** Waits until the list shows at least one row. */
export const waitForRows = (page: Page): Promise<void> => grid(page).getByRole('gridcell').first().waitFor()

/** The parts of the list that load after its rows, most of them when the browser has nothing else to do. */
const laterParts = ['row-action', 'bulk-actions', 'lead-panel', ...sessionParts]

/** Waits until all later parts have arrived, because a page that goes offline before misses them. Needs a list with rows. */
export const waitForParts = (page: Page): Promise<void> => waitForFiles(page, laterParts)

export async function pressKeys(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Moves the focus with the Tab key until an element of the name has it. */
export async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const readName = `(() => {
    const element = document.activeElement
    const label = element?.labels?.[0]?.textContent
    return element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? ''
  })()`
  for (let presses = 0; presses < 80; presses++) {
    if (((await page.evaluate(readName)) as string).startsWith(name)) return
    await page.keyboard.press(key)
  }
  throw new Error(`The Tab key does not reach ${name}.`)
}
