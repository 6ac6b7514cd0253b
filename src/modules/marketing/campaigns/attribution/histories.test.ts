// Random histories of deals, members and settings. ATTRIBUTION_HISTORIES sets their number; `npm run attribution` uses 20,000.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemActor } from '#platform/access'
import { connect, disconnect, inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { createRandom } from '#platform/module'
import { runTenantSchedule, startTestApp } from '#testing'
import { recalculateBaseAmountsBatch } from '../../../crm/deals/opportunities/base-amounts.service.ts'
import { newDeal } from '../../../crm/deals/opportunities/opportunities.fixture.ts'
import { newCampaign } from '../campaigns/campaigns.fixture.ts'
import { attributeDeals } from './attribution.fixture.ts'
import {
  attributeModel,
  describeModel,
  type ModelDeal,
  type ModelHistory,
  memberKey,
  mergeModelContacts,
} from './attribution-model.fixture.ts'
import {
  deleteUnlessFrozen,
  describeTouches,
  insertHistories,
  listWrongSums,
  mergeContacts,
  removeMembers,
  writeDeals,
  writeMembers,
  writeRoles,
} from './histories.fixture.ts'
import { markOpenDealsHandler, refreshTouchesSchedule } from './mark-deals.jobs.ts'

const count = Number(process.env.ATTRIBUTION_HISTORIES ?? 500)
const seed = Number(process.env.ATTRIBUTION_SEED ?? (process.env.ATTRIBUTION_HISTORIES ? Date.now() % 1e9 : 27))
const random = createRandom(seed)
const app = await startTestApp()
const { tenant } = app
/** Not the connections of the application, whose lock order is checked: a step writes the changes of all histories at once. */
const db = connect(app.database.appUrl)
after(() => disconnect(db))
const dayMs = 86_400_000
const steps = 10

type Acme = Awaited<ReturnType<typeof tenant>>
const inWorkspace = <T>({ id }: Acme, work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(id), work)
const toBase = (minor: number, currency: string, rate: number) => (currency === 'USD' ? minor * rate : minor)
const daysBefore = (now: number, max: number) => now - random.integer(1, max * 1_000) * (dayMs / 1_000)

function newHistory(now: number, rate: number): ModelHistory {
  const contacts = [newId(), newId(), newId()]
  const deals = [0, 1].map((): ModelDeal => {
    const [minor, currency] = [random.integer(0, 5_000) * 2, random.pick(['EUR', 'USD'] as const)]
    return {
      id: newId(),
      minor,
      currency,
      baseMinor: toBase(minor, currency, rate),
      createdAt: daysBefore(now, 60),
      closedAt: null,
      kind: 'open',
      primary: random.pick(contacts),
      roles: new Set(),
      isDeleted: false,
      isFrozen: false,
      touches: [],
    }
  })
  return { contacts, campaigns: [newId(), newId(), newId()], members: new Map(), deals }
}

type Member = ModelHistory['members'] extends Map<string, infer M> ? M : never

/** One step of all histories. Each changes its model and adds itself to the statement of its kind of change. */
async function takeStep(tx: TenantTx, histories: readonly ModelHistory[], now: number, rate: number): Promise<void> {
  const changed: ModelDeal[] = []
  const closed: ModelDeal[] = []
  const roles: ModelDeal[] = []
  const added: Member[] = []
  const removed: Member[] = []
  for (const history of histories) {
    const { contacts, campaigns, members, deals } = history
    const deal = random.pick(deals)
    const refreshBase = () => Object.assign(deal, { baseMinor: toBase(deal.minor, deal.currency, rate) })
    const changes: Record<string, () => unknown> = {
      respond() {
        if (!campaigns.length) return
        const [campaign, contact, touchedAt] = [random.pick(campaigns), random.pick(contacts), daysBefore(now, 120)]
        const respondedAt = random.chance(0.7) ? touchedAt + random.integer(0, dayMs) : null
        const member = { campaign, contact, touchedAt, respondedAt }
        members.set(memberKey(campaign, contact), member)
        added.push(member)
      },
      remove() {
        if (!members.size) return
        const [key, member] = random.pick([...members])
        members.delete(key)
        removed.push(member)
      },
      close() {
        if (deal.kind !== 'open' || deal.isDeleted) return
        Object.assign(deal, { kind: random.pick(['won', 'won', 'lost']), closedAt: now, isFrozen: false })
        refreshBase()
        closed.push(deal)
      },
      reopen() {
        if (deal.kind === 'open' || deal.isDeleted) return
        Object.assign(deal, { kind: 'open', closedAt: null, isFrozen: false })
        refreshBase()
        changed.push(deal)
      },
      amount() {
        deal.minor = random.integer(0, 5_000) * 2
        deal.currency = random.pick(['EUR', 'USD'])
        refreshBase()
        changed.push(deal)
      },
      hide() {
        deal.isDeleted = !deal.isDeleted
        changed.push(deal)
      },
      role() {
        const contact = random.pick(contacts)
        if (!deal.roles.delete(contact)) deal.roles.add(contact)
        roles.push(deal)
      },
    }
    const names = [
      'respond',
      'respond',
      'respond',
      'respond',
      'remove',
      'close',
      'close',
      'reopen',
      'amount',
      'hide',
      'role',
    ]
    if (random.chance(0.03) && contacts.length > 1) {
      const [from, into] = contacts as [string, string]
      contacts.shift()
      mergeModelContacts(history, from, into)
      await mergeContacts(tx, from, into)
    } else if (random.chance(0.04) && campaigns.length) await removeCampaign(tx, history, random.pick(campaigns))
    else changes[random.pick(names)]!()
  }
  await writeMembers(tx, added)
  await removeMembers(tx, removed)
  await writeRoles(tx, roles)
  await writeDeals(tx, changed)
  await writeDeals(tx, closed, true)
}

/** A campaign with a touch of a frozen deal must be kept. A reopened deal is frozen until it is calculated again. */
async function removeCampaign(tx: TenantTx, history: ModelHistory, campaign: string): Promise<void> {
  const isDeleted = await deleteUnlessFrozen(tx, campaign)
  const isFrozen = history.deals.some(
    (deal) => deal.isFrozen && deal.touches.some((touch) => touch.campaign === campaign),
  )
  assert.ok(!(isDeleted && isFrozen), `campaign ${campaign} of a frozen deal was deleted`)
  if (!isDeleted) return
  history.campaigns.splice(history.campaigns.indexOf(campaign), 1)
  for (const [key, member] of [...history.members]) if (member.campaign === campaign) history.members.delete(key)
}

const rates = [1, 2, 0.5]

/** Exchange rates reach open deals by the job of crm and the nightly schedule, changed settings by a job. */
async function changeSettings(acme: Acme, histories: readonly ModelHistory[]) {
  const settings = { windowDays: random.pick([20, 90, 400]), basis: random.pick(['responded', 'member'] as const) }
  const rate = random.pick(rates)
  const { status } = await acme.manager.put('/api/leads/settings', {
    currency_rates: { USD: String(rate) },
    attribution: { window_days: settings.windowDays, basis: settings.basis },
  })
  assert.equal(status, 200)
  const context = { inTenant: (work: never) => inWorkspace(acme, work), signal: new AbortController().signal }
  await markOpenDealsHandler.run(context as never, {} as never)
  for (let after: string | null = null; ; ) {
    const batch = await inWorkspace(acme, (tx) => recalculateBaseAmountsBatch(tx, after))
    if (!batch) break
    after = batch.next
  }
  await runTenantSchedule(app, refreshTouchesSchedule)
  for (const deal of histories.flatMap(({ deals }) => deals))
    if (deal.kind === 'open') deal.baseMinor = toBase(deal.minor, deal.currency, rate)
  return { settings, rate }
}

test(`the attribution of ${count} random histories equals the model, adds up, and never changes once frozen`, async () => {
  const acme = await tenant()
  app.clock.freeze()
  const template = { campaign: (await newCampaign(acme)).id, deal: (await newDeal(acme)).id }
  let { settings, rate } = await changeSettings(acme, [])
  const histories = Array.from({ length: count }, () => newHistory(app.clock.now().getTime(), rate))
  await inWorkspace(acme, (tx) => insertHistories(tx, histories, template))

  for (let step = 0; step < steps; step++) {
    app.clock.advance(30)
    const now = app.clock.now().getTime()
    const [from, to] = [rate, settings]
    await inWorkspace(acme, (tx) => takeStep(tx, histories, now, from))
    if (step % 2 === 0) continue
    await attributeDeals(app)
    for (const history of histories) attributeModel(history, to, now)
    const [lines, wrong] = await inWorkspace(acme, async (tx) => [await describeTouches(tx), await listWrongSums(tx)])
    const expected = new Set(histories.flatMap(describeModel))
    const unexpected = lines.filter((line) => !expected.has(line))
    const message = `seed ${seed}, step ${step}`
    assert.deepEqual([unexpected.slice(0, 3), lines.length, wrong], [[], expected.size, []], message)
    if (step % 4 === 3) ({ settings, rate } = await changeSettings(acme, histories))
  }
  const frozen = histories.flatMap(({ deals }) => deals).filter(({ isFrozen, touches }) => isFrozen && touches.length)
  assert.ok(frozen.length > count / 10, `${frozen.length} frozen deals`)
})
