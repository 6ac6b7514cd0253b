// After any changes and folds, analytics return what a plain count over the leads returns.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { type Acme, startAnalyticsApp } from './analytics.fixture.ts'
import { assertExactFigures, assertExactRollups, directCounts } from './direct-counts.fixture.ts'
import { rollupColumns } from './rollup-columns.rules.ts'

const { tenant, owner, db, addLeads, winDeal, fold, clock } = await startAnalyticsApp()
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
})
