// After any changes and rebuilds, analytics return what a plain count over the leads returns.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId, nilUuid } from '#platform/ids'
import { waitUntil } from '#testing'
import { type Acme, startAnalyticsApp } from './analytics.fixture.ts'
import { readAnalytics } from './analytics.queries.ts'
import { listDirtyDays } from './rollups.queries.ts'

const { tenant, owner, db, addLeads, winDeal, rebuild, clock } = await startAnalyticsApp()
const range = { from: '2026-03-01', to: '2026-03-04' }

/** Counts directly, without rollups. */
async function countDirectly(acme: Acme) {
  const count = (key: string, dimension: string) => `
    select '${dimension}' as dimension, (${key})::text as key, count(*)::int as leads, sum(score)::int as score_sum,
      count(*) filter (where status = 'working')::int as working_n, count(*) filter (where grade = 'A')::int as grade_a_n,
      count(*) filter (where owner_id is null)::int as unassigned_n, count(mql_at)::int as reached_mql_n,
      count(first_responded_at)::int as responded_n,
      count(*) filter (where first_responded_at <= sla_due_at)::int as within_sla_n,
      count(*) filter (where first_responded_at is null and sla_due_at < $2)::int as overdue_n,
      count(*) filter (where first_responded_at is null and sla_due_at >= $2)::int as pending_n,
      coalesce(sum((select sum(amount_base_minor) from crm.opportunities deal where deal.lead_id = lead.id
        and kind = 'won' and deal.deleted_at is null)), 0)::text as won_base_minor
    from crm.leads lead where tenant_id = $1 and deleted_at is null and created_on between '${range.from}' and '${range.to}'
    group by 2`
  const ownerId = `coalesce(owner_id, '${nilUuid}')`
  const { rows } = await owner.query(
    `${count('created_on', 'trend')} union all ${count('source', 'source')} union all ${count(ownerId, 'owner')} order by 1, 2`,
    [acme.id, clock.now()],
  )
  return rows
}

async function readSums(acme: Acme) {
  const filter = { range, now: clock.now() }
  const { sums } = await inTenant(db, systemActor(acme.id), (tx) => readAnalytics(tx, filter, 'day'))
  return (sums ?? []).filter(({ leads }) => leads > 0)
}

async function assertExact(acme: Acme) {
  const [expected, actual] = [await countDirectly(acme), await readSums(acme)]
  const sorted = actual.toSorted((one, other) => (one.dimension + one.key < other.dimension + other.key ? -1 : 1))
  assert.equal(sorted.length, expected.length)
  assert.partialDeepStrictEqual(sorted, expected)
}

const day = fc.integer({ min: 1, max: 4 }).map((n) => `2026-03-0${n}`)
const change = fc.oneof(
  day.map((created_on) => ({ do: 'add', created_on }) as const),
  fc.record({
    do: fc.constant('change' as const),
    set: fc.constantFrom(
      `status = 'working', first_responded_at = created_at + interval '7 minutes'`,
      `score = 80, grade = 'A', mql_at = created_at + interval '3 hours'`,
      `owner_id = null`,
      `source = 'fair'`,
      `deleted_at = now()`,
      `deleted_at = null`,
      `created_on = '2026-03-02'`,
      `sla_due_at = created_at + interval '5 minutes', sla_breached_at = null`,
    ),
  }),
  fc.constant({ do: 'win' } as const),
  fc.constant({ do: 'lose' } as const),
  fc.constant({ do: 'purge' } as const),
  fc.constant({ do: 'rebuild' } as const),
  fc.constant({ do: 'begin' } as const),
  fc.constant({ do: 'commit' } as const),
)

test('all sums are exact after any changes, with rebuilds and late commits at any moment', async () => {
  const acme = await tenant()
  const ownerId = acme.member.userId
  const ids = await addLeads(acme, 30, { owner_id: ownerId })
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
  const deals = [await winDeal(acme, pick(), 100), await winDeal(acme, pick(), 250)]

  const act = async (step: typeof change extends fc.Arbitrary<infer Step> ? Step : never) => {
    if (step.do === 'add')
      ids.push(...(await addLeads(acme, 2, { created_on: step.created_on, owner_id: ownerId, source: 'fair' })))
    if (step.do === 'change') await acme.sql(`update crm.leads set ${step.set} where id = $1`, [pick()])
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
    { numRuns: 50, endOnFailure: true },
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
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil(async () => (await owner.query(waiting)).rowCount! > 0)

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
