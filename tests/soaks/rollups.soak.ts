import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import type { TestResponse } from '#testing'
import { assertExactFigures, assertExactRollups } from '../../src/modules/crm/work/analytics/direct-counts.fixture.ts'
import { listCountedDays } from '../../src/modules/crm/work/analytics/rollups.queries.ts'
import { foldLeadDeltas } from '../../src/modules/crm/work/analytics/rollups.service.ts'
import type { Soak, SoakOptions, TestApp, TestWorkspace } from './soak.ts'

const url = '/api/leads/'
const [writers, leadsAtStart] = [5, 30]

/** Ids of what the changes create, for the next ones. */
type Records = Record<'leads' | 'deleted' | 'merges' | 'deals', string[]>

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!

const createLead = async ({ member }: TestWorkspace, { leads }: Records) => {
  const response = await member.post(url, { last_name: 'Counted', source: pick(['web', 'fair']) })
  if (response.status === 201) leads.push(response.body.id)
  return response
}

type Change = (acme: TestWorkspace, records: Records) => Promise<TestResponse>
const changes: Record<string, Change> = {
  create: createLead,
  status: ({ member }, { leads }) => member.patch(url + pick(leads), { status: pick(['working', 'contacted', 'new']) }),
  owner: ({ manager, member }, { leads }) =>
    manager.patch(url + pick(leads), { owner_id: pick([manager.userId, member.userId, null]) }),
  source: ({ member }, { leads }) => member.patch(url + pick(leads), { source: pick(['web', 'fair']) }),
  bulk: ({ member }, { leads }) =>
    member.post(`${url}bulk`, {
      action: 'set_status',
      lead_ids: [...new Set([pick(leads), pick(leads), pick(leads)])],
      params: { status: pick(['working', 'nurturing']) },
    }),
  delete: ({ manager }, { leads, deleted }) => {
    deleted.push(pick(leads))
    return manager.delete(url + deleted.at(-1))
  },
  restore: ({ manager }, { deleted }) => manager.post(`${url}${deleted.pop()}/restore`),
  merge: async ({ manager }, { leads, merges }) => {
    const response = await manager.post(`${url}${pick(leads)}/merge`, { duplicate_ids: [pick(leads)] })
    if (response.status === 200) merges.push(response.body.merge_id)
    return response
  },
  undo: ({ manager }, { merges }) => manager.post(`${url}merges/${merges.pop()}/undo`),
  convert: async ({ manager }, { leads, deals }) => {
    const response = await manager.post(`${url}${pick(leads)}/convert`, { create_opportunity: true })
    if (response.status < 300 && response.body.opportunity) deals.push(response.body.opportunity.id)
    return response
  },
  deal: ({ manager }, { deals }) =>
    manager.patch(`/api/opportunities/${pick(deals)}`, {
      stage_key: pick(['closed_won', 'proposal']),
      amount: { amount: String(1 + Math.floor(Math.random() * 500)), currency: 'EUR' },
      close_on: '2099-12-31',
    }),
  removeDeal: ({ manager }, { deals }) => manager.delete(`/api/opportunities/${pick(deals)}`),
  restoreDeal: ({ manager }, { deals }) => manager.post(`/api/opportunities/${pick(deals)}/restore`),
  purge: async (acme, { leads }) => {
    const [id] = leads.length > leadsAtStart ? leads.splice(Math.floor(Math.random() * leads.length), 1) : []
    const status = await acme.sql('delete from crm.leads where id = $1', [id ?? null]).then(
      () => 204,
      // Unlike a purge of the product, this does not lock the deals first.
      (error) => (error.code === '40P01' ? 409 : 500),
    )
    return { status } as TestResponse
  },
}

/** Concurrent changes of all kinds and folds: at every moment, every figure must equal a count of the leads. */
export const rollupsUnderChanges: Soak = {
  name: 'rollups under concurrent changes',
  sizes: { nightly: 2_000, full: 20_000 },
  run: runRollupSoak,
}

async function runRollupSoak(app: TestApp, { size, isShort, report }: SoakOptions): Promise<string[]> {
  const acme = await app.tenant()
  const records: Records = { leads: [], deleted: [], merges: [], deals: [] }
  for (let n = 0; n < leadsAtStart; n++) await createLead(acme, records)
  const done: Record<string, number> = Object.fromEntries(Object.keys(changes).map((name) => [name, 0]))
  const violations: string[] = []
  const names = Object.keys(changes)
  let [started, isDone, folds, checks] = [0, false, 0, 0]
  const inAcme = <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(app.db, systemActor(acme.id), work)

  const write = async () => {
    while (started++ < size && !violations.length) {
      const name = names[started % names.length]!
      const { status, text } = await changes[name]!(acme, records)
      if (status < 300) done[name]!++
      else if (status >= 500 && status !== 503) violations.push(`${name}: ${status} ${text}`)
    }
  }
  const fold = async () => {
    while (!isDone) {
      await inAcme(foldLeadDeltas)
      folds++
    }
  }
  const check = async () => {
    while (!isDone) {
      await findDifference()
      checks++
    }
  }
  const findDifference = async () => {
    const days = await inAcme(listCountedDays)
    const range = { from: days[0]!, to: days.at(-1)! }
    const filter = pick([{}, { owner_id: acme.member.userId }, { source: 'fair' }])
    try {
      await inAcme((tx) => assertExactFigures(tx, { range, now: app.clock.now(), ...filter }))
      await inAcme((tx) => assertExactRollups(tx, days))
    } catch (error) {
      violations.push(`after ${started} changes: ${error}`)
    }
  }

  const background = [fold(), check(), check()]
  await Promise.all(Array.from({ length: writers }, write))
  isDone = true
  await Promise.all(background)
  await inAcme(foldLeadDeltas)
  await findDifference()
  report(`${folds} folds, ${checks} comparisons, successful changes: ${JSON.stringify(done)}`)
  const missing = names.filter((name) => !done[name])
  return [...violations, ...(isShort ? [] : missing.map((name) => `no change of kind ${name} succeeded`))]
}
