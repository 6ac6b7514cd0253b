import type { Page } from 'playwright-core'
import { waitUntil } from '#testing'
import { followRequests } from '../deal-pages.ts'
import type { SlowNetwork } from './slow-network.ts'
import { createTabModel, type Label, labels } from './tab-model.ts'

type Leave = 'close' | 'back' | 'reload'

type Shown = { fields: string[]; mine: [Label, string][]; text: string }

/** Reads the values of the fields, those in a question about a conflict, and the typed text at once. */
const readPage = `({
  fields: [...document.querySelectorAll('button[aria-label^="Edit "]')].map((button) => button.ariaLabel),
  mine: [...document.querySelectorAll('[role=alert] dl > div')].map((row) =>
    [row.querySelector('dt').textContent, row.querySelector('b').textContent]),
  text: Object.values(sessionStorage).join() + ' ' + document.querySelector('textarea').value,
})`

type Difference = { label: Label; mine: string; theirs: string }

/** Reads the question about a conflict and answers it at once, because a further field can join it. */
const pressAnswer = (choice: string) => `(() => {
  const question = [...document.querySelectorAll('[role=alert]')].find((one) => one.textContent.includes('while you were typing'))
  const button = [...(question?.querySelectorAll('button') ?? [])].find((one) => one.textContent === '${choice}')
  if (!button) return []
  const differences = [...question.querySelectorAll('dl > div')].map((row) => {
    const [mine, theirs] = [...row.querySelectorAll('b')].map((value) => value.textContent)
    return { label: row.querySelector('dt').textContent, mine: mine ?? '', theirs: theirs ?? '' }
  })
  button.click()
  return differences
})()`

function valueIn(fields: readonly string[], label: Label): string {
  const start = `Edit ${label}: `
  const text = fields.find((field) => field.startsWith(start))?.slice(start.length) ?? ''
  return text === 'Empty' ? '' : text
}

/** A tab in which a seller works on one deal. The model learns only what the user does and sees. */
export function createTab(name: string, page: Page, network: SlowNetwork) {
  const model = createTabModel(name)
  const note = page.getByRole('textbox', { name: 'Write a note' })
  const { waitUntilQuiet } = followRequests(page)
  let isLeaving = true
  let wasAsked = false
  page.on('dialog', async (dialog) => {
    wasAsked = true
    await (isLeaving ? dialog.accept() : dialog.dismiss()).catch(() => {})
  })

  const fieldButton = (label: Label) => page.getByRole('button', { name: `Edit ${label}: ` })

  /** Types into a field. Without Enter its editor stays open. */
  async function type(label: Label, text: string): Promise<void> {
    await fieldButton(label).press('Enter')
    const field = page.getByLabel(label, { exact: true })
    model.enter(label, text, await field.inputValue())
    await field.fill(text)
  }
  async function open(): Promise<void> {
    await page.getByRole('button', { name: /^(Deal|Mine|Theirs) \w+, / }).press('Enter')
    await note.waitFor()
  }
  const press = async (button: string) => {
    const [first] = await page.getByRole('button', { name: button }).all()
    await first?.press('Enter', { timeout: 1_000 }).catch(() => {})
  }
  async function answer(choice: 'Save mine' | 'Take theirs'): Promise<void> {
    const answered: Difference[] = await page.evaluate(pressAnswer(choice))
    for (const { label, mine, theirs } of answered) {
      if (choice === 'Save mine') model.keepMine(label, mine, theirs)
      else model.giveUp(label)
    }
  }

  return {
    name,
    page,
    model,
    network,
    open,
    async edit(label: Label, text: string) {
      await type(label, text)
      await page.getByLabel(label, { exact: true }).press('Enter')
    },
    async typeNote(text: string) {
      await note.focus()
      await page.keyboard.press('Control+End')
      await page.keyboard.insertText(` ${text}`)
      model.notes.push(text)
    },
    saveNote: () => note.press('Control+Enter'),
    answer,
    retry: () => press('Try again'),
    /** Leaves the deal while a text is in a field, and returns to it. The user may stay if the browser asks. */
    async leave(how: Leave, label: Label, text: string, stays: boolean) {
      await type(label, text)
      if (how === 'reload') {
        isLeaving = !stays
        wasAsked = false
        network.cut()
        let isLoaded = false
        page.once('load', () => {
          isLoaded = true
        })
        await page.evaluate('setTimeout(() => location.reload())')
        await waitUntil(() => isLoaded || (wasAsked && stays))
        if (!isLoaded) await page.getByLabel(label, { exact: true }).press('Enter')
        else if (wasAsked) model.giveUpAll()
      } else {
        if (how === 'back') await page.goBack()
        else await page.getByRole('button', { name: 'Close', exact: true }).press('Enter')
        await open()
      }
      await note.waitFor()
    },
    /** What the page shows and keeps, as far as the user has a part in it. */
    async read() {
      for (const label of labels) await fieldButton(label).waitFor()
      const { fields, mine, text }: Shown = await page.evaluate(readPage)
      const shown = new Map(labels.map((label) => [label, valueIn(fields, label)]))
      for (const [label, value] of mine) shown.set(label, value)
      return { shown, text }
    },
    /** Answers all questions and sends all that could not be sent, as a patient user does. */
    async finish() {
      await note.waitFor()
      await waitUntil(async () => {
        await press('Try again')
        await answer('Save mine')
        if ((await note.inputValue()) !== '') await note.press('Control+Enter')
        await waitUntilQuiet()
        const open = page.locator('[aria-busy=true]').or(page.getByRole('button', { name: /^(Try again|Save mine)$/ }))
        return (await open.count()) === 0 && (await note.inputValue()) === ''
      })
    },
  }
}

export type Tab = ReturnType<typeof createTab>
