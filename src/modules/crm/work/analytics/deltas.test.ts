// Deltas are written by triggers, added to the rollups by folds, and checked by the nightly recount.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { waitForBlockedSessions } from '#testing'
import { type Acme, startAnalyticsApp } from './analytics.fixture.ts'
import { assertExactFigures, assertExactRollups } from './direct-counts.fixture.ts'
import { bucketThresholds } from './histogram.rules.ts'

const { tenant, owner, db, addLeads, winDeal, fold, recount, clock } = await startAnalyticsApp()
const range = { from: '2026-03-01', to: '2026-03-04' }

const assertExact = (acme: Acme) =>
  inTenant(db, systemActor(acme.id), async (tx) => {
    await assertExactFigures(tx, { range, now: clock.now() })
    await assertExactRollups(tx, ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'])
  })

const countDeltas = async (acme: Acme) =>
  (await acme.sql('select count(*)::int as n from crm.lead_deltas where tenant_id = $1', [acme.id])).rows[0].n

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

test('a small workspace has no rollups, and figures stay exact when it becomes large and small again beside writers', async () => {
  const acme = await tenant()
  const [first, second] = await addLeads(acme, 30, { owner_id: acme.member.userId })
  await winDeal(acme, first!, 100)
  const recountAll = () => recount((fields) => assert.fail(JSON.stringify(fields)))
  const countRows = async (table: string) =>
    (await acme.sql(`select count(*)::int as n from crm.${table} where tenant_id = $1`, [acme.id])).rows[0].n
  const late = await owner.connect()
  after(() => late.release(true))
  const changeLate = async () => {
    await late.query('begin')
    await late.query(`update crm.leads set score = score + 1, source = 'late' where id = $1`, [second])
  }
  const write = async () => {
    for (let n = 0; n < 20; n++)
      await acme.sql('update crm.leads set score = $2, owner_id = null where id = $1', [first, n])
  }

  await fold()
  await recountAll()
  assert.equal(await countRows('lead_rollups'), 0)
  await assertExact(acme)
  await addLeads(acme, 3, { first_responded_at: '2026-03-02T09:10:00Z' })
  await fold()
  assert.deepEqual([await countRows('lead_rollups'), await countRows('lead_deltas')], [0, 0])
  await assertExact(acme)

  await acme.sql(`delete from crm.leads where tenant_id = $1 and id <> all ($2)`, [acme.id, [first, second]])
  await changeLate()
  await addLeads(acme, 4_000, { created_on: '2026-03-03', source: 'fair' })
  await Promise.all([write(), fold()])
  assert.ok((await countRows('lead_rollups')) > 0)
  await assertExact(acme)
  await late.query('commit')
  await assertExact(acme)
  await fold()
  await assertExact(acme)

  await acme.sql(`delete from crm.leads where tenant_id = $1 and source = 'fair'`, [acme.id])
  await changeLate()
  await Promise.all([write(), recountAll()])
  await late.query('commit')
  assert.equal(await countRows('lead_rollups'), 0)
  await assertExact(acme)
  assert.equal((await acme.viewer.get('/api/leads/kpis')).body.total, 2)
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
