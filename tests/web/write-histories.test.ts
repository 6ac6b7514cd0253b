// Random histories of a seller with two tabs and a bad connection. WRITE_HISTORIES sets their number: 60 in `npm run write-histories`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import { createRandom } from '#platform/module'
import { newDeal } from '../../src/modules/crm/deals/opportunities/opportunities.fixture.ts'
import { createTab, type Tab } from './histories/seller-tab.ts'
import { slowDown } from './histories/slow-network.ts'
import { fieldOf, labels, type Write } from './histories/tab-model.ts'
import { startWeb, type Workspace } from './web-pages.ts'

const histories = Number(process.env.WRITE_HISTORIES ?? 1)
const firstSeed = Number(process.env.WRITE_HISTORIES_SEED ?? 1)
const steps = histories > 1 ? 12 : 6
const actions = [
  'edit',
  'edit',
  'edit',
  'other',
  'note',
  'type',
  'release',
  'release',
  'close',
  'back',
  'reload',
  'offline',
  'save mine',
  'take theirs',
  'retry',
] as const

const { tenant, openSignedIn } = await startWeb()

async function playHistory(acme: Workspace, context: BrowserContext, origin: string, seed: number): Promise<void> {
  const random = createRandom(seed)
  const { id } = await newDeal(acme, { name: `Deal ${seed}`, next_step: 'Call' })
  const tabs: Tab[] = []
  for (const name of ['Tab 1', 'Tab 2']) {
    const page = await context.newPage()
    const network = await slowDown(page, createRandom(seed * 1_000 + tabs.length))
    const tab = createTab(name, page, network)
    await page.goto(`${origin}/deals`)
    await tab.open()
    tabs.push(tab)
  }
  const listWrites = async (): Promise<Write[]> => {
    const { rows } = await acme.sql('select changes from platform.audit_log where resource_id = $1 order by id', [id])
    return rows.flatMap(({ changes }) => changes ?? [])
  }
  const listBodies = async (): Promise<string[]> =>
    (await acme.manager.get(`/api/opportunities/${id}/activities?type=note`)).body.items.map(
      ({ body }: { body: string }) => body,
    )
  const check = async () => {
    const shown = await Promise.all(tabs.map((tab) => tab.read()))
    const [writes, bodies] = [await listWrites(), await listBodies()]
    for (const [at, { model }] of tabs.entries()) model.check(shown[at]!.shown, shown[at]!.text, writes, bodies)
    return { writes, bodies }
  }
  let isOffline = false
  const log: string[] = []

  async function play(step: number): Promise<void> {
    const [tab, label, action] = [random.pick(tabs), random.pick(labels), random.pick(actions)]
    const text = `${step}${tab === tabs[0] ? 'a' : 'b'}`
    const stays = random.chance(0.5)
    log.push(`${tab.name}: ${action} ${label} ${text}`)
    if (action === 'edit') await tab.edit(label, `Mine ${text}`)
    else if (action === 'other')
      await acme.manager.patch(`/api/opportunities/${id}`, { [fieldOf[label]]: `Theirs ${step}` })
    else if (action === 'type' || action === 'note') {
      await tab.typeNote(`Note ${text}.`)
      if (action === 'note') await tab.saveNote()
    } else if (action === 'release') tab.network.release(random.integer(0, 9))
    else if (action === 'offline') {
      isOffline = !isOffline
      await context.setOffline(isOffline)
    } else if (action === 'save mine') await tab.answer('Save mine')
    else if (action === 'take theirs') await tab.answer('Take theirs')
    else if (action === 'retry') await tab.retry()
    else await tab.leave(action === 'reload' && isOffline ? 'close' : action, label, `Mine ${text}`, stays)
  }
  try {
    for (let step = 0; step < steps; step++) {
      await play(step)
      await check()
    }
    await context.setOffline(false)
    for (const { network } of tabs) network.end()
    for (const tab of tabs) await tab.finish()
    const { writes, bodies } = await check()
    for (const { model, network } of tabs) model.checkWrites(writes, bodies, network.countLost)
    assert.equal(new Set(bodies).size, bodies.length, 'A note was written twice')
  } catch (error) {
    throw new Error(`WRITE_HISTORIES_SEED=${seed}: ${(error as Error).message}\n${log.join('\n')}`, { cause: error })
  } finally {
    await context.setOffline(false)
    for (const { page } of tabs) await page.close()
    await acme.manager.delete(`/api/opportunities/${id}`)
  }
}

const acme = await tenant()
const { context, origin, errors } = await openSignedIn(acme, acme.member, { path: '/settings' })

for (let seed = firstSeed; seed < firstSeed + histories; seed++)
  test(`two tabs lose nothing that is typed, write nothing twice and show every difference, history ${seed}`, async () => {
    await playHistory(acme, context, origin, seed)
    assert.deepEqual(errors, [])
  })
