// Random histories of a seller with a bad connection. WRITE_HISTORIES sets their number: 60 in `npm run write-histories`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { createRandom } from '#platform/module'
import { waitUntil } from '#testing'
import { newDeal } from '../../src/modules/crm/deals/opportunities/opportunities.fixture.ts'
import { followRequests } from './deal-pages.ts'
import { startWeb, type Workspace } from './web-pages.ts'

const histories = Number(process.env.WRITE_HISTORIES ?? 1)
const firstSeed = Number(process.env.WRITE_HISTORIES_SEED ?? 1)
const steps = 12
const fields = { 'Next step': 'next_step', Name: 'name' } as const
type Label = keyof typeof fields

const { tenant, openSignedIn } = await startWeb()

/** Passes on, drops or holds the requests of a page that write. A held one is released later, in any order. */
async function slowDown(page: Page, decide: () => 'pass' | 'hold' | 'drop' | 'lose') {
  const held: (() => void)[] = []
  let isSlow = true
  const answer = async (route: Route) => {
    const kind = isSlow && route.request().method() !== 'GET' ? decide() : 'pass'
    if (kind === 'hold') await new Promise<void>((resolve) => held.push(resolve))
    if (kind === 'lose') await fetchDirectly(route)
    if (kind === 'lose' || kind === 'drop') return await route.abort()
    await route.continue()
  }
  await page.route('**/api/opportunities/**', (route) => answer(route).catch(() => {}))
  return {
    release: (at: number) => held.splice(at % Math.max(held.length, 1), 1)[0]?.(),
    end() {
      isSlow = false
      for (const release of held.splice(0)) release()
    },
  }
}

/** The server of the test runner does not resolve the names of workspaces, which browsers do. */
async function fetchDirectly(route: Route): Promise<void> {
  const url = new URL(route.request().url())
  const headers = { ...(await route.request().allHeaders()), host: url.host }
  url.hostname = '127.0.0.1'
  await route.fetch({ url: url.href, headers })
}

async function editField(page: Page, label: Label, text: string): Promise<void> {
  await page.getByRole('button', { name: `Edit ${label}` }).press('Enter')
  await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByLabel(label, { exact: true }).press('Enter')
}

/** Answers all questions and sends all that could not be sent, as a patient user does. */
async function finishWrites(page: Page, waitUntilQuiet: () => Promise<void>): Promise<void> {
  const note = page.getByRole('textbox', { name: 'Write a note' })
  await waitUntil(async () => {
    for (const name of ['Try again', 'Save mine']) {
      const button = page.getByRole('button', { name }).first()
      if (await button.isVisible()) await button.click({ timeout: 1_000 }).catch(() => {})
    }
    if ((await note.inputValue()) !== '') await note.press('Control+Enter')
    await waitUntilQuiet()
    const open = page.locator('[aria-busy=true]').or(page.getByRole('button', { name: /^(Try again|Save mine)$/ }))
    return (await open.count()) === 0 && (await note.inputValue()) === ''
  })
}

async function playHistory(acme: Workspace, page: Page, origin: string, seed: number): Promise<void> {
  const random = createRandom(seed)
  const { id } = await newDeal(acme, { name: `Deal ${seed}`, next_step: 'Call' })
  const read = async () => (await acme.manager.get(`/api/opportunities/${id}`)).body
  const { waitUntilQuiet } = followRequests(page)
  const network = await slowDown(page, () => random.pick(['pass', 'pass', 'hold', 'drop', 'lose'] as const))
  await page.goto(`${origin}/deals?open=${id}`)
  const note = page.getByRole('textbox', { name: 'Write a note' })
  await note.waitFor()
  const wanted = new Map<Label, string>()
  const replaced = new Set<unknown>()
  const notes: string[] = []
  const log: string[] = []
  for (let step = 0; step < steps; step++) {
    const label = random.pick(Object.keys(fields) as Label[])
    const action = random.pick(['edit', 'edit', 'other', 'note', 'release', 'close'] as const)
    log.push(`${action} ${label}`)
    if (action === 'edit') {
      wanted.set(label, `Mine ${step}`)
      await editField(page, label, `Mine ${step}`)
    } else if (action === 'other') {
      replaced.add((await read())[fields[label]])
      await acme.manager.patch(`/api/opportunities/${id}`, { [fields[label]]: `Theirs ${step}` })
    } else if (action === 'note') {
      notes.push(`Note ${step}.`)
      await note.focus()
      await page.keyboard.press('Control+End')
      await page.keyboard.insertText(` Note ${step}.`)
      await note.press('Control+Enter')
    } else if (action === 'release') network.release(random.integer(0, 9))
    else {
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await page.getByRole('button', { name: /^(Deal|Mine|Theirs) \d+, / }).press('Enter')
      await note.waitFor()
    }
  }
  network.end()
  await finishWrites(page, waitUntilQuiet)

  const stored = await read()
  const written = (await acme.manager.get(`/api/opportunities/${id}/activities?type=note`)).body.items as {
    body: string
  }[]
  const message = `Seed ${seed}\n${log.join('\n')}`
  for (const [label, value] of wanted)
    assert.ok(stored[fields[label]] === value || replaced.has(value), `${value} is lost. ${message}`)
  for (const text of notes)
    assert.ok(
      written.some(({ body }) => body.includes(text)),
      `${text} is lost. ${message}`,
    )
  assert.equal(new Set(written.map(({ body }) => body)).size, written.length, `A note was written twice. ${message}`)
  await page.unroute('**/api/opportunities/**')
  await acme.manager.delete(`/api/opportunities/${id}`)
}

test('random histories with lost, dropped and late responses lose nothing and write no note twice', async () => {
  const acme = await tenant()
  const { page, origin } = await openSignedIn(acme, acme.member, { path: '/deals' })
  for (let seed = firstSeed; seed < firstSeed + histories; seed++) await playHistory(acme, page, origin, seed)
})
