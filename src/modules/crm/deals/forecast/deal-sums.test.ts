import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { createRandom } from '#platform/module'
import { runTenantSchedule, startTestApp } from '#testing'
import { euros, newDeal, url } from '../opportunities/opportunities.fixture.ts'
import { checkDealSumsSchedule, foldDealDeltasSchedule } from './deal-sums.jobs.ts'
import { sumForecast } from './forecast.queries.ts'
import { toClosedPeriod } from './forecast.rules.ts'
import { assertStageSums } from './stage-sums.fixture.ts'
import { sumStages } from './stage-sums.queries.ts'

const { tenant, db, systemDb, owner } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
const fold = () => runTenantSchedule({ db, systemDb }, foldDealDeltasSchedule)
const period = { from: '2031-01-01', to: '2031-01-30' }
const today = '2031-01-15'
const inWorkspace = <T>({ id }: Acme, work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(id), work)

/** Copies a deal, each copy with another day, owner and category. */
const copyDeals = (acme: Acme, dealId: string, count: number) =>
  owner.query(
    `insert into crm.opportunities select (copied).* from (
       select jsonb_populate_record(deal, jsonb_build_object('id', gen_random_uuid(), 'close_on', date '2031-01-01' + n % 10,
         'owner_id', (array[$2, $3, $4, null]::uuid[])[1 + n / 10 % 4],
         'forecast_category', (array['pipeline', 'best_case', 'commit'])[1 + n / 40 % 3])) as copied
       from crm.opportunities deal, generate_series(1, $5::int) n where deal.id = $1 offset 0) as copies`,
    [dealId, acme.admin.userId, acme.manager.userId, acme.member.userId, count],
  )

/** Sums the deals themselves. */
async function sumDirectly({ id }: Acme, group: string) {
  const { rows } = await owner.query(
    `select ${group} as group_id, coalesce(sum(amount_base_minor) filter (where kind = 'won'), 0)::text as closed,
       ${['commit', 'best_case', 'pipeline']
         .map(
           (name) =>
             `coalesce(sum(amount_base_minor) filter (where kind = 'open' and forecast_category = '${name}'), 0)::text as ${name}`,
         )
         .join(', ')},
       coalesce(sum(amount_base_minor * probability_basis) filter (where kind = 'open' and forecast_category <> 'omitted'), 0)::text as weighted,
       count(*) filter (where kind = 'open')::int as open_count,
       count(*) filter (where kind = 'open' and close_on < $4)::int as overdue_count
     from crm.opportunities where tenant_id = $1 and deleted_at is null and kind <> 'lost' and close_on between $2 and $3 group by 1`,
    [id, period.from, period.to, today],
  )
  return rows
}

const renewalStages = [
  { key: 'trial', label: 'Trial', probability_rate: 0.4 },
  { key: 'review', label: 'Review', probability_rate: 0.6 },
  { key: 'won', label: 'Won', kind: 'won' },
  { key: 'lost', label: 'Lost', kind: 'lost' },
]

const groupings = {
  owner: 'owner_id::text',
  month: `to_char(close_on, 'YYYY-MM')`,
  pipeline: 'pipeline_id::text',
} as const
type Row = { group_id: string | null } & Record<string, unknown>
const toTexts = (rows: Row[]) =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .map(([key, value]) => `${key} ${value}`)
          .sort(),
      ),
    )
    .sort()

async function assertSums(acme: Acme): Promise<void> {
  await assertForecast(acme)
  await assertStageSums(acme, (work) => inWorkspace(acme, work), [undefined, acme.member.userId])
}

async function assertForecast(acme: Acme): Promise<void> {
  for (const [groupBy, column] of Object.entries(groupings)) {
    const sums = await inWorkspace(acme, (tx) => sumForecast(tx, { period, groupBy: groupBy as 'owner', today }))
    assert.deepEqual(toTexts(sums), toTexts(await sumDirectly(acme, column)), groupBy)
  }
}

test('the sums equal those of the deals after any change, folded or not', async () => {
  const acme = await tenant()
  const deal = await newDeal(acme, { amount: euros('100'), close_on: '2031-01-10' })
  await copyDeals(acme, deal.id, 60)
  const { id: renewals } = (await acme.manager.post(`${url}pipelines`, { name: 'Renewals', stages: renewalStages }))
    .body
  const random = createRandom(21)
  const closedAt = () => `closed_at = timestamptz '2031-01-01 00:00Z' + ${random.integer(-24, 24)} * interval '1 hour'`
  const price = (minor: number) => `amount_minor = ${minor}, amount_base_minor = ${minor}, amount_currency = 'EUR'`
  const reopen = () => `set kind = 'open', closed_at = null, lost_reason = null`
  const changes = [
    () => `set ${price(random.integer(0, 9))}`,
    () => 'set amount_minor = null, amount_base_minor = null, amount_currency = null',
    () => `set close_on = date '2030-12-20' + ${random.integer(0, 60)}`,
    () => `set probability_basis = ${random.integer(0, 10_000)}`,
    () => `set forecast_category = '${random.pick(['pipeline', 'commit', 'omitted'])}'`,
    () => `set owner_id = ${random.pick([`'${acme.member.userId}'`, 'null'])}`,
    () => `set deleted_at = ${random.pick(['now()', 'null'])}`,
    () => `set stage_key = '${random.pick(['prospecting', 'proposal'])}', pipeline_id = '${deal.pipeline_id}'`,
    () => `set stage_key = '${random.pick(['trial', 'review'])}', pipeline_id = '${renewals}'`,
    () => `set kind = 'lost', lost_reason = 'price', ${closedAt()}`,
    () => `set kind = 'won', ${price(7)}, ${closedAt()}`,
    () => `set notes = 'unchanged figures'`,
  ]
  for (let n = 0; n < 100; n++) {
    const target = `where tenant_id = $1 and get_byte(uuid_send(id), 15) % 7 = ${random.integer(0, 6)}`
    const isAllowed = `and (amount_minor is not null or kind = 'open')`
    if (random.chance(0.1)) await acme.sql(`delete from crm.opportunities ${target} and id <> $2`, [acme.id, deal.id])
    else if (random.chance(0.15)) await copyDeals(acme, deal.id, 15)
    else if (random.chance(0.2)) await acme.sql(`update crm.opportunities ${reopen()} ${target}`, [acme.id])
    else
      await acme.sql(`update crm.opportunities ${random.pick(changes)()} ${target} ${isAllowed} and kind = 'open'`, [
        acme.id,
      ])
    if (random.chance(0.3)) await fold()
    if (n % 10 === 9) await assertSums(acme)
  }
  await fold()
  await assertSums(acme)
})

test('sums that differ from the deals are corrected at night and logged, and empty ones are deleted', async () => {
  const acme = await tenant()
  const deal = await newDeal(acme, { amount: euros('100'), close_on: '2031-01-20' })
  await copyDeals(acme, deal.id, 1_001)
  await fold()
  for (const table of ['crm.deal_sums', 'crm.stage_sums'])
    await acme.sql(`update ${table} set minor = minor + 5, deals = deals + 1 where tenant_id = $1`, [acme.id])
  const errors: object[] = []
  const check = () => runTenantSchedule({ db, systemDb }, checkDealSumsSchedule, (fields) => errors.push(fields))

  await check()
  await assertSums(acme)
  const logged = errors.length
  await acme.sql('delete from crm.opportunities where id = $1', [deal.id])
  await fold()
  await check()

  assert.equal(logged, 1)
  assert.equal(errors.length, 1)
  const { rows } = await acme.sql('select max(close_on)::text as day from crm.deal_sums where tenant_id = $1', [
    acme.id,
  ])
  assert.deepEqual(rows, [{ day: '2031-01-10' }])
  const stages = await acme.sql('select sum(deals)::int as deals from crm.stage_sums where tenant_id = $1', [acme.id])
  assert.deepEqual(stages.rows, [{ deals: 1_001 }])
})

test('a small workspace has no sums, and the forecast stays exact when it becomes large and small again beside writers', async () => {
  const acme = await tenant()
  const deal = await newDeal(acme, { amount: euros('100'), close_on: '2031-01-10' })
  await copyDeals(acme, deal.id, 50)
  const check = () =>
    runTenantSchedule({ db, systemDb }, checkDealSumsSchedule, (fields) => assert.fail(String(fields)))
  const countSums = async () =>
    (await acme.sql('select count(*)::int as n from crm.deal_sums where tenant_id = $1', [acme.id])).rows[0].n
  const late = await owner.connect()
  after(() => late.release(true))
  const changeLate = async () => {
    await late.query('begin')
    await late.query('update crm.opportunities set amount_minor = 5, amount_base_minor = 5 where id = $1', [deal.id])
  }
  const some = `where tenant_id = $1 and id <> $2 and get_byte(uuid_send(id), 15) % 3 = 0`
  const write = async () => {
    for (let n = 0; n < 20; n++)
      await acme.sql(`update crm.opportunities set close_on = close_on + 1 ${some}`, [acme.id, deal.id])
  }

  await fold()
  await check()
  assert.equal(await countSums(), 0)
  await assertSums(acme)
  await fold()
  await acme.sql(`delete from crm.opportunities ${some}`, [acme.id, deal.id])
  await changeLate()
  await copyDeals(acme, deal.id, 2_000)
  await Promise.all([write(), fold()])
  await assertSums(acme)
  assert.ok((await countSums()) > 0)
  await late.query('commit')
  await fold()
  await assertSums(acme)

  await acme.sql(
    `delete from crm.opportunities where tenant_id = $1 and id <> $2 and get_byte(uuid_send(id), 15) > 40`,
    [acme.id, deal.id],
  )
  await changeLate()
  await Promise.all([write(), check()])
  await late.query('commit')
  assert.equal(await countSums(), 0)
  await assertSums(acme)
})

/** 200,000 for `npm run large-forecast`. */
const deals = Number(process.env.FORECAST_DEALS ?? 4_000)

test('forecast and board of twenty times the deals read at most three times the rows', async () => {
  const acme = await tenant()
  const deal = await newDeal(acme, { amount: euros('100'), close_on: '2031-01-10' })
  const countReadRows = async (tx: TenantTx) => {
    const { rows } = await sql<{ read: number }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables where schemaname = 'crm'
    `.execute(tx)
    return rows[0]!.read
  }
  const readRows = async (read: (tx: TenantTx) => Promise<unknown>): Promise<number> =>
    await inWorkspace(acme, async (tx) => {
      const before = await countReadRows(tx)
      await read(tx)
      return (await countReadRows(tx)) - before
    })
  const readSums = async (): Promise<[number, number]> => {
    await fold()
    await owner.query('vacuum analyze crm.deal_sums, crm.deal_deltas, crm.stage_sums, crm.stage_deltas')
    const board = { pipelineId: deal.pipeline_id, closed: toClosedPeriod('2031-01-01', 'Europe/Berlin') }
    return [
      await readRows((tx) => sumForecast(tx, { period, groupBy: 'owner', today })),
      await readRows((tx) => sumStages(tx, board)),
    ]
  }

  await copyDeals(acme, deal.id, deals / 20)
  const [few, fewStages] = await readSums()
  await copyDeals(acme, deal.id, deals - deals / 20)
  const [many, manyStages] = await readSums()

  assert.ok(few > 100 && many <= 3 * few, `${few} rows, then ${many}`)
  assert.ok(manyStages <= 3 * fewStages, `${fewStages} rows, then ${manyStages}`)
  await assertSums(acme)
})
