import type { Page } from 'playwright-core'
import { tabTo } from '../lead-pages.ts'

/** A user without a pointer: everything is typed, and the focus is moved by Tab only. */
export function createKeyboard(page: Page) {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const type = (text: string) => page.keyboard.type(text)
  /** Waits for a text or a part of the page. */
  const see = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()
  const seeDialog = (name: string | RegExp) => page.getByRole('dialog', { name }).waitFor()
  const seeNoDialog = () => page.getByRole('dialog').first().waitFor({ state: 'detached' })
  return {
    press,
    type,
    see,
    seeDialog,
    seeNoDialog,
    async replace(text: string) {
      await press('Control+a')
      await type(text)
    },
    /** Presses a button, link or tab after moving the focus to it. */
    async use(name: string) {
      await tabTo(page, name)
      await press('Enter')
    },
    focus: (name: string) => tabTo(page, name),
    gone: (text: string) => page.getByRole('main').getByText(text).first().waitFor({ state: 'detached' }),
    /** Chooses an item of the open menu. Its first letter moves to the next item that begins with it. */
    async choose(item: string) {
      await page.getByRole('menu').getByText(item, { exact: true }).first().waitFor()
      for (let presses = 0; presses < 9; presses++) {
        await type(item[0]!)
        if ((await page.evaluate('document.activeElement.textContent')) === item) break
      }
      await press('Enter')
    },
    async runCommand(label: string) {
      await press('Control+k')
      await page.getByRole('combobox').first().waitFor()
      await type(label)
      await page.getByRole('option', { name: label }).first().waitFor()
      await press('Enter')
    },
    async closeDialog() {
      await press('Escape')
      await seeNoDialog()
    },
  }
}

export type Keyboard = ReturnType<typeof createKeyboard>
