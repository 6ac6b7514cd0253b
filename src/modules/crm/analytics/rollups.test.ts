// After any changes and rebuilds, analytics return what a plain count over the leads returns.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { waitForBlockedSessions } from '#testing'
import { type Acme, startAnalyticsApp } from './analytics.fixture.ts'
import { readAnalytics } from './analytics.queries.ts'
import { countDirectly, directCounts, measureDirectly } from './direct-counts.fixture.ts'
import { readKpis } from './kpis.queries.ts'
import { rollupColumns } from './rollup-columns.rules.ts'
import { listDirtyDays } from './rollups.queries.ts'

const { tenant, owner, db, addLeads, winDeal, rebuild, clock } = await startAnalyticsApp()
const range = { from: '2026-03-01', to: '2026-03-04' }

async function assertExact(acme: Acme) {
  const now = clock.now()
  const counted = { tenantId: acme.id, range, now }
  const [expected, measured] = [await countDirectly(owner, counted), await measureDirectly(owner, counted)]
  await inTenant(db, systemActor(acme.id), async (tx) => {
    const { sums } = await readAnalytics(tx, { range, now }, 'day')
    const { median } = await readKpis(tx, { current: range, previous: range, now })
    const sorted = (sums ?? [])
      .filter(({ leads }) => leads > 0)
      .sort((one, other) => (one.dimension + one.key < other.dimension + other.key ? -1 : 1))
    assert.deepEqual(sorted, expected)
    assert.deepEqual({ median: median?.ms ?? null, early: 0 }, measured)
  })
}

const atNoon = (day: string) =>
  Object.fromEntries(
    ['first_responded_at', 'assigned_at', 'mql_at', 'sql_at'].map((column) => [column, `${day}T12:00:00Z`]),
  )
const answeredAfter = (time: string) => `first_responded_at = created_at + interval '${time}'`
const day = fc.integer({ min: 1, max: 4 }).map((n) => `2026-03-0${n}`)
const change = fc.oneof(
  day.map((created_on) => ({ do: 'add', created_on }) as const),
  fc.record({
    do: fc.constant('change' as const),
    set: fc.constantFrom(
      `status = 'working', disqualify_reason = null, ${answeredAfter('7 minutes')}`,
      `status = 'contacted', disqualify_reason = null, ${answeredAfter('2 minutes')}`,
      `status = 'nurturing', disqualify_reason = null, ${answeredAfter('50 minutes')}`,
      `status = 'qualified', disqualify_reason = null, ${answeredAfter('3 hours')}`,
      `status = 'unqualified', disqualify_reason = 'other', ${answeredAfter('20 hours')}`,
      `status = 'new', disqualify_reason = null, first_responded_at = null`,
      answeredAfter('3 days'),
      `lifecycle_stage = 'subscriber'`,
      `score = 80, grade = 'A', lifecycle_stage = 'mql', mql_at = created_at + interval '3 hours'`,
      `lifecycle_stage = 'sql', mql_at = created_at, sql_at = created_at + interval '1 day'`,
      `lifecycle_stage = 'customer', mql_at = created_at, sql_at = created_at, opportunity_at = created_at, customer_at = created_at`,
      `grade = 'B', lifecycle_stage = 'evangelist', assigned_at = created_at + interval '1 minute'`,
      `owner_id = null, assigned_at = null`,
      `source = 'fair'`,
      `deleted_at = now()`,
      `deleted_at = null`,
      `created_on = '2026-03-02'`,
      `sla_due_at = created_at + interval '5 minutes', sla_breached_at = null`,
    ),
  }),
  fc.constant({ do: 'merge' } as const),
  fc.constant({ do: 'undo' } as const),
  fc.constant({ do: 'win' } as const),
  fc.constant({ do: 'lose' } as const),
  fc.constant({ do: 'purge' } as const),
  fc.constant({ do: 'rebuild' } as const),
  fc.constant({ do: 'begin' } as const),
  fc.constant({ do: 'commit' } as const),
)

test('all counters are compared', () => {
  assert.deepEqual(Object.keys(directCounts).sort(), [...rollupColumns].sort())
})

test('all sums are exact after any changes, with rebuilds and late commits at any moment', async () => {
  const acme = await tenant()
  const ownerId = acme.member.userId
  const answered = { status: 'working', lifecycle_stage: 'sql' }
  const ids = [
    ...(await addLeads(acme, 15, { owner_id: ownerId })),
    ...(await addLeads(acme, 8, { created_on: '2026-03-04' })),
    ...(await addLeads(acme, 8, { created_on: '2026-03-01', owner_id: ownerId, ...answered, ...atNoon('2026-03-01') })),
  ]
  const late = await owner.connect()
  after(() => late.release(true))
  let isOpen = false
  const commit = async () => {
    if (isOpen) await late.query('commit')
    isOpen = false
  }
  let picks = 0
  const pick = () => {
    picks += 7
    return ids[picks % ids.length]!
  }
  const merges: string[] = []
  const mergeTwo = async () => {
    const live =
      'select id from crm.leads where tenant_id = $1 and deleted_at is null and last_name like $2 order by id'
    const { rows } = await acme.sql(live, [acme.id, 'Lead %'])
    const [one, two] = [rows[picks++ % rows.length], rows[(5 * picks) % rows.length]]
    if (!one || one.id === two.id) return
    const { status, body } = await acme.manager.post(`/api/leads/${one.id}/merge`, { duplicate_ids: [two.id] })
    assert.equal(status, 200, JSON.stringify(body))
    merges.push(body.merge_id)
  }
  const undoLast = async () => {
    const last = merges.pop()
    if (last === undefined) return
    const { status, body } = await acme.manager.post(`/api/leads/merges/${last}/undo`)
    assert.ok([200, 404, 409].includes(status), JSON.stringify(body))
  }
  const deals = [await winDeal(acme, pick(), 100), await winDeal(acme, pick(), 250)]

  const act = async (step: typeof change extends fc.Arbitrary<infer Step> ? Step : never) => {
    if (step.do === 'add')
      ids.push(...(await addLeads(acme, 2, { created_on: step.created_on, owner_id: ownerId, source: 'fair' })))
    if (step.do === 'change') await acme.sql(`update crm.leads set ${step.set} where id = $1`, [pick()])
    if (step.do === 'merge') await mergeTwo()
    if (step.do === 'undo') await undoLast()
    if (step.do === 'win')
      await acme.sql(`update crm.opportunities set deleted_at = null, lead_id = $2 where id = $1`, [deals[0], pick()])
    if (step.do === 'lose') await acme.sql('update crm.opportunities set deleted_at = now() where id = $1', [deals[0]])
    if (step.do === 'purge' && ids.length > 1) {
      const [purged] = ids.splice(ids.indexOf(pick()), 1)
      await acme.sql('delete from crm.leads where id = $1', [purged])
    }
    if (step.do === 'rebuild') await rebuild()
    if (step.do === 'commit') await commit()
    if (step.do === 'begin' && !isOpen) {
      isOpen = true
      await late.query('begin')
      await late.query(
        `insert into crm.leads (tenant_id, id, last_name, search_text, source, created_on, score)
         values ($1, $2, 'Late', '', 'web', '2026-03-03', 9)`,
        [acme.id, newId()],
      )
    }
  }

  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 8 }), async (steps) => {
      for (const step of steps) {
        await act(step)
        await assertExact(acme)
      }
    }),
    { numRuns: 25, endOnFailure: true },
  )
  await commit()
  await assertExact(acme)
  await rebuild()
  await assertExact(acme)
  assert.deepEqual(await inTenant(db, systemActor(acme.id), listDirtyDays), [])
})

test('queries during a rebuild count every lead exactly once', async () => {
  const acme = await tenant()
  await addLeads(acme, 50)
  let isDone = false
  const poll = async () => {
    const seen = new Set<number>()
    while (!isDone) seen.add((await acme.viewer.get('/api/leads/kpis')).body.total)
    return [...seen]
  }
  const polls = [poll(), poll()]

  for (let round = 0; round < 15; round++) {
    await acme.sql('update crm.leads set score = score + 1 where tenant_id = $1', [acme.id])
    await Promise.all([rebuild(), rebuild()])
  }
  isDone = true

  assert.deepEqual(await Promise.all(polls), [[50], [50]])
})

test('a lead created between counting and storing a day is not lost', async () => {
  const acme = await tenant()
  await addLeads(acme, 1, { created_on: '2026-03-01' })
  await rebuild()
  await addLeads(acme, 2, { created_on: '2026-03-02' })
  // Another transaction inserts the same row, so the rebuild has counted the leads and waits.
  const competitor = await owner.connect()
  after(() => competitor.release(true))
  await competitor.query('begin')
  await competitor.query(
    `insert into crm.lead_rollups select (jsonb_populate_record(rollup, '{"day": "2026-03-02"}')).*
     from crm.lead_rollups rollup where tenant_id = $1`,
    [acme.id],
  )
  const rebuilding = rebuild()
  await waitForBlockedSessions(owner, 1)

  await addLeads(acme, 1, { created_on: '2026-03-02' })
  await competitor.query('rollback')
  await rebuilding

  assert.equal((await acme.viewer.get('/api/leads/kpis')).body.total, 4)
  assert.deepEqual(await inTenant(db, systemActor(acme.id), listDirtyDays), ['2026-03-02'])
})

test('days without leads have no rollups, and other workspaces are not affected', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await addLeads(acme, 2)
  await addLeads(other, 3)
  await rebuild()
  await acme.sql('delete from crm.leads where tenant_id = $1', [acme.id])

  await rebuild()

  const { rows } = await owner.query(
    'select tenant_id, cut, leads from crm.lead_rollups where tenant_id = any ($1) order by cut',
    [[acme.id, other.id]],
  )
  assert.deepEqual(
    rows,
    ['all', 'owner', 'owner_source', 'source'].map((cut) => ({ tenant_id: other.id, cut, leads: 3 })),
  )
})
