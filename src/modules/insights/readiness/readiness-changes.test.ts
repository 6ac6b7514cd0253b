// Readiness when teams, settings, content and the worker change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { runTenantSchedule, startTestApp, waitUntil } from '#testing'
import { createScenario } from '../../coaching/coaching.fixture.ts'
import { createPublishedItem } from '../../library/content/content.fixture.ts'
import { createTeam } from '../../pitches/pitches.fixture.ts'
import { readinessRecords } from './readiness.fixture.ts'
import { recomputeReadinessSchedule } from './readiness.jobs.ts'
import { recomputeMarked } from './recompute-readiness.service.ts'

const app = await startTestApp()
const { tenant, clock, services, db, startTestWorker } = app
await startTestWorker()

type Acme = Awaited<ReturnType<typeof tenant>>
const url = '/api/enablement/readiness'
const { insertSession, insertView } = readinessRecords(app)
const recompute = () => runTenantSchedule(app, recomputeReadinessSchedule(services))
const detail = async (user: Acme['member'], id: string) => await user.get(`${url}/${id}`)
const mark = (acme: Acme, userId: string) =>
  acme.sql('insert into enablement.readiness_marks (tenant_id, id, user_id) values ($1, $2, $3)', [
    acme.id,
    newId(),
    userId,
  ])
const countMarks = async (acme: Acme, userId: string) =>
  (await acme.sql('select from enablement.readiness_marks where tenant_id = $1 and user_id = $2', [acme.id, userId]))
    .rows.length
/** Jobs can add marks after a change. */
const recomputeAll = (acme: Acme, userId: string) =>
  waitUntil(async () => {
    await recompute()
    return (await countMarks(acme, userId)) === 0
  })
const readScore = async (acme: Acme, userId: string) =>
  (await acme.sql('select score_tenths from enablement.readiness_scores where user_id = $1', [userId])).rows[0]
    ?.score_tenths

async function dumpRows({ id, sql }: Acme): Promise<string> {
  const tables = ['readiness_scores', 'readiness_snapshots', 'insight_snapshots', 'insight_states']
  const rows = tables.map(async (table) => [
    table,
    (await sql(`select xmin::text, * from enablement.${table} where tenant_id = $1 order by 2, 3`, [id])).rows,
  ])
  return JSON.stringify(await Promise.all(rows))
}

test('a read stores nothing, also for marked users and in an empty workspace', async () => {
  const [acme, empty] = [await tenant(), await tenant()]
  await createScenario(acme)
  const { userId } = acme.member
  await mark(acme, userId)
  await recompute()
  await insertSession(acme, userId, 90, 0)
  await mark(acme, userId)
  const before = [await dumpRows(acme), await dumpRows(empty)]

  for (const { manager, member } of [acme, empty])
    for (const path of [
      url,
      `${url}/${member.userId}`,
      '/api/enablement/insights',
      `/api/users/${member.userId}/profile`,
    ])
      assert.equal((await manager.get(path)).status, 200, path)
  const listed = (await acme.member.get(url)).body.items[0]
  const profile = (await acme.member.get(`/api/users/${userId}/profile`)).body

  assert.deepEqual([await dumpRows(acme), await dumpRows(empty)], before)
  assert.ok((await countMarks(acme, userId)) > 0)
  assert.equal(listed.score, 60)
  assert.equal(profile.enablement.readiness_score, 60)
})

test('required reading of a team ends with the membership, and coaches outside of the team do not learn of it', async () => {
  const acme = await tenant()
  const { lead, seller } = await createTeam(acme)
  const { body: team } = await acme.admin.post('/api/teams/', { name: 'Board', members: [{ user_id: seller.userId }] })
  const item = await createPublishedItem(acme, {
    title: 'Secret plan',
    is_required_reading: true,
    audience_team_ids: [team.id],
  })
  const isShown = async (user: Acme['member']) => {
    const texts = [(await detail(user, seller.userId)).text, (await user.get(url)).text]
    return texts.map((text) => text.includes('Secret plan') || text.includes(item.id))
  }

  assert.deepEqual((await isShown(seller))[0], true)
  assert.deepEqual((await isShown(acme.manager))[0], true)
  assert.deepEqual(await isShown(lead), [false, false])
  await recompute()
  const marks = await countMarks(acme, seller.userId)
  const left = await acme.admin.delete(`/api/teams/${team.id}/members/${seller.userId}`)
  assert.ok(left.status < 300, left.text)
  assert.ok((await countMarks(acme, seller.userId)) > marks)
  assert.deepEqual(await isShown(seller), [false, false])
  assert.equal((await detail(seller, seller.userId)).body.components.content.inputs.required, 0)
})

test('a new lead sees the readiness of the team, and the former lead does not', async () => {
  const acme = await tenant()
  const { lead, seller, colleague, teamId } = await createTeam(acme)
  const statusOf = async (user: Acme['member']) => (await detail(user, seller.userId)).status
  assert.deepEqual([await statusOf(lead), await statusOf(colleague)], [200, 403])

  await acme.admin.patch(`/api/teams/${teamId}/members/${colleague.userId}?role=lead`)
  await acme.admin.patch(`/api/teams/${teamId}/members/${lead.userId}?role=member`)

  assert.deepEqual([await statusOf(lead), await statusOf(colleague)], [403, 200])
  assert.equal((await lead.get(url)).body.items.length, 1)
})

test('settings that change while marks exist apply to the next calculation, and excluded roles have no readiness', async () => {
  const acme = await tenant()
  const { userId } = acme.member
  await acme.admin.post('/api/teams/', { name: 'Sales', members: [{ user_id: userId }] })
  await createScenario(acme)
  await createPublishedItem(acme)
  for (const days of [0, 0, 0]) await insertSession(acme, userId, 90, days)
  await mark(acme, userId)
  const set = async (readiness: object) => {
    const { status, text } = await acme.admin.patch('/api/admin/settings', { enablement: { readiness } })
    assert.equal(status, 200, text)
  }
  const readAverage = async (days: number) =>
    (await acme.manager.get(`/api/enablement/insights?days=${days}`)).body.usage_by_team[0].average_readiness

  await set({ weights: { learning: 0, coaching: 100, pitch: 0, content: 0 } })
  await recompute()
  const [score, average] = [await readScore(acme, userId), await readAverage(20)]
  await mark(acme, userId)
  await set({ excluded_roles: ['viewer', 'member'] })
  await recomputeAll(acme, userId)

  assert.deepEqual([score, average], [900, 90])
  const { body } = await acme.manager.get(url)
  assert.ok(!JSON.stringify(body.items).includes(userId))
  assert.equal((await acme.member.get(`/api/users/${userId}/profile`)).body.enablement.readiness_score, null)
  assert.equal(await readAverage(21), null)
})

test('a view after the calculation counts at once, also one of the same millisecond', async () => {
  const acme = await tenant()
  const { userId } = acme.member
  const item = await createPublishedItem(acme)
  await mark(acme, userId)
  await recomputeAll(acme, userId)
  const readListed = async () => (await acme.member.get(url)).body.items[0].score
  const before = await readListed()

  await insertView(acme, item.id, userId)
  await acme.sql(
    `update enablement.readiness_scores score set computed_at = date_trunc('milliseconds', view.updated_at)
     from enablement.content_views view where view.user_id = score.user_id and view.tenant_id = $1`,
    [acme.id],
  )
  // Another file's worker may have marked the user in the meantime.
  await acme.sql('delete from enablement.readiness_marks where tenant_id = $1', [acme.id])

  const listed = await readListed()
  const { body: profile } = await acme.member.get(`/api/users/${userId}/profile`)
  assert.equal(before, 0)
  assert.ok(listed > 0, `${listed}`)
  assert.equal(profile.enablement.readiness_score, listed)
})

test('a worker that fails during the calculation leaves the marks, and the next run stores the scores once', async () => {
  const acme = await tenant()
  const { userId } = acme.member
  await createScenario(acme)
  await insertSession(acme, userId, 90, 0)
  await mark(acme, userId)

  const failed = inTenant(db, systemActor(acme.id), async (tx) => {
    await recomputeMarked(tx, clock.now())
    throw new Error('killed')
  })

  await assert.rejects(failed, /killed/)
  assert.ok((await countMarks(acme, userId)) > 0)
  assert.equal(await readScore(acme, userId), undefined)
  await recomputeAll(acme, userId)
  assert.equal(await readScore(acme, userId), 600)
})

test('enablement-9-5 the list of a member has exactly one row', async () => {
  const acme = await tenant()
  const { seller } = await createTeam(acme)

  const { body } = await seller.get(url)

  assert.equal(body.items.length, 1)
  assert.deepEqual([body.items[0].user.id, body.total], [seller.userId, 1])
})

test('enablement-9-10 a deactivated user leaves the list and the averages, and the history stays', async () => {
  const acme = await tenant()
  const { lead, seller, colleague, teamId } = await createTeam(acme)
  await createScenario(acme)
  for (const [{ userId }, score] of [[seller, 90] as const, [colleague, 50] as const])
    await insertSession(acme, userId, score, 0)
  await acme.sql(
    `insert into enablement.readiness_snapshots (tenant_id, user_id, day, score_tenths, components)
     values ($1, $2, ($3::timestamptz - interval '9 days')::date, 800, '{}')`,
    [acme.id, colleague.userId, clock.now()],
  )
  const readTeam = async () => (await acme.manager.get(`${url}?team_id=${teamId}`)).body
  const idsOf = ({ items }: { items: { user: { id: string } }[] }) => items.map(({ user }) => user.id).sort()

  const before = await readTeam()
  await acme.admin.patch(`/api/users/${colleague.userId}`, { status: 'deactivated' })
  const after = await readTeam()
  const { body: kept } = await detail(acme.manager, colleague.userId)

  assert.deepEqual(idsOf(before), [lead, seller, colleague].map(({ userId }) => userId).sort())
  assert.deepEqual(idsOf(after), [lead, seller].map(({ userId }) => userId).sort())
  const scores = after.items.map(({ score }: { score: number }) => score)
  assert.equal(after.summary.average, (scores[0] + scores[1]) / 2)
  assert.notEqual(after.summary.average, before.summary.average)
  assert.ok(kept.history.some(({ score }: { score: number }) => score === 80))
})
