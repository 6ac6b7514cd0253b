import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decayScoresSchedule } from './rescore.jobs.ts'
import { startScoringApp } from './scoring.fixture.ts'

const { tenant, services, clock, addSignals, postLead, postExampleLead, runSchedule } = await startScoringApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const decay = () => runSchedule(decayScoresSchedule(services))
const day = 86_400

/** Moves to 06:00, so that the day does not end during a test. */
const secondsUntilSix = () => {
  const now = clock.now().getTime() / 1_000
  return (((6 * 3_600 - now) % day) + day) % day
}

/** Includes xmin, which changes with every write. */
const rowsOf = async (acme: Acme) =>
  (
    await acme.sql(
      `select xmin::text, id, version, updated_at, fit_score, engagement_score, score, grade, scored_at, score_reasons
       from crm.leads where tenant_id = $1 order by id`,
      [acme.id],
    )
  ).rows

const historyOf = async (acme: Acme) =>
  (await acme.sql('select id from crm.lead_score_history where tenant_id = $1 order by id', [acme.id])).rows

test('crm-1-15 scores decay once a night without changing versions, so If-Match stays valid', async () => {
  const acme = await tenant()
  const { lead_id } = await postExampleLead(acme)
  const inactive = await postLead(acme, { last_name: 'Roy', title: 'CEO' })
  const { etag } = (await acme.member.get(`/api/leads/${lead_id}`)).headers
  const before = await rowsOf(acme)

  clock.advance(13 * day + secondsUntilSix())
  await decay()
  const decayed = await rowsOf(acme)
  const recorded = [await acme.events(), await acme.audit(), await historyOf(acme)]
  clock.advance(day / 2)
  await decay()
  const again = await rowsOf(acme)

  const [lead, other] = [decayed.find(({ id }) => id === lead_id)!, decayed.find(({ id }) => id === inactive.id)!]
  assert.deepEqual([lead.fit_score, lead.grade], [90, 'B'])
  assert.ok(lead.engagement_score >= 16 && lead.engagement_score <= 18, String(lead.engagement_score))
  assert.deepEqual(
    decayed.map(({ version, updated_at }) => [version, updated_at]),
    before.map(({ version, updated_at }) => [version, updated_at]),
  )
  assert.deepEqual(
    other,
    before.find(({ id }) => id === inactive.id),
  )
  assert.deepEqual(again, decayed)
  assert.deepEqual([await acme.events(), await acme.audit(), await historyOf(acme)], recorded)
  const member = await acme.signIn(acme.member.userId)
  const changed = await member.patch(`/api/leads/${lead_id}`, { notes: 'Still here' }, { 'if-match': etag })
  assert.equal(changed.status, 200)
})

test('a lead scored since midnight is not rescored', async () => {
  const acme = await tenant()
  const { lead_id } = await postExampleLead(acme)
  const before = await rowsOf(acme)

  await decay()

  assert.deepEqual(await rowsOf(acme), before)
  assert.equal((await acme.member.get(`/api/leads/${lead_id}`)).body.score, 61)
})

test('a grade change by decay emits an event, and a fully decayed lead is not rescored', async () => {
  const acme = await tenant()
  const { lead_id } = await postExampleLead(acme)
  await addSignals(acme, lead_id, { type: 'meeting', outcome: 'held' }, { type: 'meeting', outcome: 'held' })
  await acme.member.post(`/api/leads/${lead_id}/recompute-score`)
  const [best] = await rowsOf(acme)

  clock.advance(40 * day)
  await decay()
  const [weak] = await rowsOf(acme)
  clock.advance(60 * day)
  await decay()
  const [decayed] = await rowsOf(acme)
  clock.advance(day)
  await decay()

  assert.equal(best.grade, 'A')
  assert.equal(weak.grade, 'B')
  assert.deepEqual([decayed.engagement_score, decayed.score], [0, 45])
  assert.deepEqual((await rowsOf(acme))[0], decayed)
  const events = await acme.events()
  assert.equal(events.at(-1), 'lead.grade_changed')
  const { rows } = await acme.sql('select cause from crm.lead_score_history where lead_id = $1 order by id', [lead_id])
  assert.deepEqual(
    rows.slice(-2).map(({ cause }) => cause),
    ['decay', 'decay'],
  )
})

test('several batches decay, and a locked lead is waited for', async () => {
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

  await decay()

  clearTimeout(release)
  await holder.query('commit')
  holder.release()
  const { rows } = await acme.sql('select distinct engagement_score from crm.leads where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [{ engagement_score: 6 }])
})
