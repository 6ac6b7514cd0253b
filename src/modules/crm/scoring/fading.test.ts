import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fadingScores } from './rescore.jobs.ts'
import { startScoringApp } from './scoring.fixture.ts'

const { tenant, services, clock, see, capture, captureExample, runNow } = await startScoringApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const fade = () => runNow(fadingScores(services))
const day = 86_400

/** In the morning, so that the day does not end while a test runs. */
const secondsUntilSix = () => {
  const now = clock.now().getTime() / 1_000
  return (((6 * 3_600 - now) % day) + day) % day
}

/** Everything about the leads of a workspace, and the transaction that last wrote each. */
const rowsOf = async (acme: Acme) =>
  (
    await acme.sql(
      `select xmin::text, id, version, updated_at, fit_score, engagement_score, score, grade, scored_at, score_reasons
       from crm.leads where tenant_id = $1 order by id`,
      [acme.id],
    )
  ).rows

test('crm-1-15 scores fade over night, once a day, and nobody’s If-Match is spoilt', async () => {
  const acme = await tenant()
  const { lead_id } = await captureExample(acme)
  const quiet = await capture(acme, { last_name: 'Roy', title: 'CEO' })
  const { etag } = (await acme.member.get(`/api/leads/${lead_id}`)).headers
  const before = await rowsOf(acme)

  clock.advance(13 * day + secondsUntilSix())
  await fade()
  const faded = await rowsOf(acme)
  clock.advance(day / 2)
  await fade()
  const again = await rowsOf(acme)

  const [lead, other] = [faded.find(({ id }) => id === lead_id)!, faded.find(({ id }) => id === quiet.id)!]
  assert.deepEqual([lead.fit_score, lead.grade], [90, 'B'])
  assert.ok(lead.engagement_score >= 16 && lead.engagement_score <= 18, String(lead.engagement_score))
  assert.deepEqual(
    faded.map(({ version, updated_at }) => [version, updated_at]),
    before.map(({ version, updated_at }) => [version, updated_at]),
  )
  assert.deepEqual(
    other,
    before.find(({ id }) => id === quiet.id),
  )
  assert.deepEqual(again, faded)
  const member = await acme.signIn(acme.member.userId)
  const changed = await member.patch(`/api/leads/${lead_id}`, { notes: 'Still here' }, { 'if-match': etag })
  assert.equal(changed.status, 200)
})

test('a lead that was scored since midnight is left as it is', async () => {
  const acme = await tenant()
  const { lead_id } = await captureExample(acme)
  const before = await rowsOf(acme)

  await fade()

  assert.deepEqual(await rowsOf(acme), before)
  assert.equal((await acme.member.get(`/api/leads/${lead_id}`)).body.score, 61)
})

test('a grade that fades is announced, and what has faded away is looked at no more', async () => {
  const acme = await tenant()
  const { lead_id } = await captureExample(acme)
  await see(acme, lead_id, { type: 'meeting', outcome: 'held' }, { type: 'meeting', outcome: 'held' })
  await acme.member.post(`/api/leads/${lead_id}/recompute-score`)
  const [best] = await rowsOf(acme)

  clock.advance(40 * day)
  await fade()
  const [weak] = await rowsOf(acme)
  clock.advance(60 * day)
  await fade()
  const [gone] = await rowsOf(acme)
  clock.advance(day)
  await fade()

  assert.equal(best.grade, 'A')
  assert.equal(weak.grade, 'B')
  assert.deepEqual([gone.engagement_score, gone.score], [0, 45])
  assert.deepEqual((await rowsOf(acme))[0], gone)
  const announced = await acme.events()
  assert.equal(announced.at(-1), 'lead.grade_changed')
  const { rows } = await acme.sql('select cause from crm.lead_score_history where lead_id = $1 order by id', [lead_id])
  assert.deepEqual(
    rows.slice(-2).map(({ cause }) => cause),
    ['decay', 'decay'],
  )
})

test('more leads than fit into a batch fade too, and a busy one is waited for', async () => {
  const acme = await tenant()
  await acme.sql(
    `with many as (
       insert into crm.leads (tenant_id, id, last_name, source, search_text, created_on, engagement_score, score, scored_at)
       select $1, gen_random_uuid(), 'Lead ' || n, 'import', '', '2026-01-01', 50, 25, $2 from generate_series(1, 520) n
       returning id
     )
     insert into crm.activities (tenant_id, id, lead_id, type, direction, occurred_at, actor_type, source)
     select $1, gen_random_uuid(), id, 'form_submitted', 'in', $2, 'person', 'api' from many`,
    [acme.id, new Date(clock.now().getTime() - 30 * day * 1_000)],
  )
  const holder = await services.db.pool.connect()
  await holder.query('begin')
  await holder.query(`select set_config('app.tenant_id', $1, true)`, [acme.id])
  await holder.query('select id from crm.leads order by id desc limit 1 for update')
  const release = setTimeout(() => holder.query('commit'), 2_500)

  await fade()

  clearTimeout(release)
  await holder.query('commit')
  holder.release()
  const { rows } = await acme.sql('select distinct engagement_score from crm.leads where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [{ engagement_score: 6 }])
})
