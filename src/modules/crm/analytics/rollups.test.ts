// After any changes and folds, analytics return what a plain count over the leads returns.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { waitForBlockedSessions } from '#testing'
import { type Acme, startAnalyticsApp } from './analytics.fixture.ts'
import { assertExactFigures, assertExactRollups, directCounts } from './direct-counts.fixture.ts'
import { bucketThresholds } from './histogram.rules.ts'
import { rollupColumns } from './rollup-columns.rules.ts'

const { tenant, owner, db, addLeads, winDeal, fold, recount, clock } = await startAnalyticsApp()
const range = { from: '2026-03-01', to: '2026-03-04' }

const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']

/** Compares all leads and one other filter, in turns. */
let comparisons = 0
const assertExact = (acme: Acme) =>
  inTenant(db, systemActor(acme.id), async (tx) => {
    const filters = [{}, { owner_id: acme.member.userId }, { owner_id: acme.member.userId, source: 'fair' }]
    await assertExactFigures(tx, { range, now: clock.now(), ...filters[comparisons++ % filters.length] })
    await assertExactRollups(tx, days)
  })

const countDeltas = async (acme: Acme) =>
  (await acme.sql('select count(*)::int as n from crm.lead_deltas where tenant_id = $1', [acme.id])).rows[0].n

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
  fc.constant({ do: 'fold' } as const),
  fc.constant({ do: 'begin' } as const),
  fc.constant({ do: 'commit' } as const),
)

test('all counters are compared', () => {
  assert.deepEqual(Object.keys(directCounts).sort(), [...rollupColumns].sort())
})

test('all sums are exact after any changes, with folds and late commits at any moment', async () => {
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
    if (step.do === 'fold') await fold()
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
    { numRuns: 10, endOnFailure: true },
  )
  await commit()
  await assertExact(acme)
  await fold()
  await assertExact(acme)
  assert.equal(await countDeltas(acme), 0)
})

test('queries during folds count every lead exactly once', async () => {
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
    await Promise.all([fold(), fold()])
  }
  isDone = true

  assert.deepEqual(await Promise.all(polls), [[50], [50]])
})

test('a change that commits during a fold stays a delta until the next one', async () => {
  const acme = await tenant()
  await addLeads(acme, 2, { created_on: '2026-03-02' })
  // Another transaction inserts the same row, so the fold has read the deltas and waits.
  const competitor = await owner.connect()
  after(() => competitor.release(true))
  await competitor.query('begin')
  await competitor.query(
    `insert into crm.lead_rollups select (jsonb_populate_record(null::crm.lead_rollups, to_jsonb(delta) || '{"cut": "all", "source": ""}')).*
     from crm.lead_deltas delta where tenant_id = $1`,
    [acme.id],
  )
  const folding = fold()
  await waitForBlockedSessions(owner, 1)

  await addLeads(acme, 1, { created_on: '2026-03-02' })
  await competitor.query('rollback')
  await folding

  assert.equal((await acme.viewer.get('/api/leads/kpis')).body.total, 3)
  assert.equal(await countDeltas(acme), 1)
})

test('a statement writes one delta per day, owner and source, and none if no counter changes', async () => {
  const acme = await tenant()
  const ids = await addLeads(acme, 30, { owner_id: acme.member.userId })
  const afterInsert = await countDeltas(acme)
  await acme.sql(`update crm.leads set notes = 'x', title = 'y', updated_at = now() where tenant_id = $1`, [acme.id])
  await acme.sql(`update crm.leads set score = 30 - score where id = any ($1)`, [ids.slice(0, 2)])
  await acme.sql(`update crm.leads set owner_id = owner_id, created_on = created_on where tenant_id = $1`, [acme.id])
  const [richer, poorer] = ids
  await acme.sql(`update crm.leads set score = case id when $1 then 31 else 29 end where id in ($1, $2)`, [
    richer,
    poorer,
  ])
  const afterNoChange = await countDeltas(acme)
  await acme.sql(`update crm.leads set source = 'fair' where id = $1`, [richer])

  assert.deepEqual([afterInsert, afterNoChange, await countDeltas(acme)], [1, 2, 4])
  await assertExact(acme)
})

test('a query that reads many deltas requests a fold', async () => {
  const acme = await tenant()
  const addDeltas = (count: number) =>
    acme.sql(
      `insert into crm.lead_deltas (tenant_id, day, owner_id, source)
       select $1, '2026-03-01', gen_random_uuid(), 'web' from generate_series(1, $2)`,
      [acme.id, count],
    )
  await addDeltas(500)
  await acme.viewer.get('/api/leads/kpis')
  const afterFew = await acme.jobs()
  await addDeltas(1)
  await acme.viewer.get('/api/leads/kpis')
  await acme.viewer.get('/api/leads/analytics?from=2026-03-01&to=2026-03-01')

  assert.ok(!afterFew.includes('crm.fold_lead_deltas'))
  assert.equal((await acme.jobs()).filter((job) => job === 'crm.fold_lead_deltas').length, 1)
})

test('days without leads have no rollups, and other workspaces are not affected', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await addLeads(acme, 2)
  await addLeads(other, 3)
  await fold()
  await acme.sql('delete from crm.leads where tenant_id = $1', [acme.id])

  await fold()

  const { rows } = await owner.query(
    'select tenant_id, cut, leads from crm.lead_rollups where tenant_id = any ($1) order by cut',
    [[acme.id, other.id]],
  )
  assert.deepEqual(
    rows,
    ['all', 'owner', 'owner_source', 'source'].map((cut) => ({ tenant_id: other.id, cut, leads: 3 })),
  )
})

type Won = { won_amount: { amount: string } }

test('a concurrent change of a lead and its deal counts the won amount under the new owner', async () => {
  const acme = await tenant()
  const [lead, other] = await addLeads(acme, 2, { owner_id: acme.member.userId })
  const [deal, moved] = [await winDeal(acme, lead!, 100), await winDeal(acme, other!, 7)]
  await fold()
  const url = `/api/leads/analytics?from=2026-03-02&to=2026-03-02&owner_id=${acme.manager.userId}`
  const reassigning = await owner.connect()
  after(() => reassigning.release(true))
  await reassigning.query('begin')
  await reassigning.query('update crm.leads set owner_id = $2 where id = $1', [lead, acme.manager.userId])

  const update = 'update crm.opportunities set'
  const raising = acme.sql(`${update} amount_minor = 30000, amount_base_minor = 30000 where id = $1`, [deal])
  const moving = acme.sql(`${update} lead_id = $2 where id = $1`, [moved, lead])
  await waitForBlockedSessions(owner, 2)
  await reassigning.query('commit')
  await Promise.all([raising, moving])

  const { body } = await acme.viewer.get(url)
  assert.equal(body.speed_to_lead.leads, 1)
  assert.equal(
    body.trend.reduce((sum: number, day: Won) => sum + Number(day.won_amount.amount), 0),
    307,
  )
  await assertExact(acme)
})

test('the nightly recount corrects a wrong rollup and reports it', async () => {
  const acme = await tenant()
  await addLeads(acme, 3, { first_responded_at: '2026-03-02T09:10:00Z' })
  await fold()
  await addLeads(acme, 2)
  await acme.sql(
    `update crm.lead_rollups set leads = leads + 1, response_steps = null where tenant_id = $1 and cut = 'owner'`,
    [acme.id],
  )
  await acme.sql(
    `insert into crm.lead_rollups select (jsonb_populate_record(rollup, '{"day": "2026-03-03"}')).*
     from crm.lead_rollups rollup where tenant_id = $1 and cut = 'all'`,
    [acme.id],
  )
  const reports: object[] = []

  await recount((fields) => reports.push(fields))
  await recount((fields) => reports.push(fields))

  assert.deepEqual(reports, [{ corrected: 2, from: '2026-03-02', to: '2026-03-03' }])
  assert.equal((await acme.viewer.get('/api/leads/kpis')).body.total, 5)
  await assertExact(acme)
})

test('the database puts durations into the buckets of the histogram', async () => {
  const { rows } = await owner.query(
    `select array_agg(crm.duration_bucket(ms) order by ms) as buckets, array_agg(crm.duration_bucket(ms - 1) order by ms) as below
     from unnest($1::bigint[]) ms`,
    [[...bucketThresholds]],
  )

  const numbers = bucketThresholds.map((_, index) => index + 1)
  assert.deepEqual(rows[0], { buckets: numbers, below: numbers.map((number) => number - 1) })
})
