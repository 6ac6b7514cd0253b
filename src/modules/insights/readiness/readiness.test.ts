import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { runTenantSchedule, startTestApp, waitUntil } from '#testing'
import { createScenario } from '../../coaching/coaching.fixture.ts'
import { assignPath, complete, createPath } from '../../learning/learning.fixture.ts'
import { createPublishedItem } from '../../library/content/content.fixture.ts'
import { createTeam } from '../../pitches/pitches.fixture.ts'
import { readinessRecords } from './readiness.fixture.ts'
import { markReadersSchedule, recomputeAllReadinessSchedule, recomputeReadinessSchedule } from './readiness.jobs.ts'

const app = await startTestApp()
const { tenant, clock, services, startTestWorker } = app
await startTestWorker()

type Acme = Awaited<ReturnType<typeof tenant>>
const url = '/api/enablement/readiness'
const recompute = () => runTenantSchedule(app, recomputeReadinessSchedule(services))
const { dayOf, insertSession, prepareExample } = readinessRecords(app)

async function detail(user: Acme['member'], id: string) {
  const { status, body, text } = await user.get(`${url}/${id}`)
  assert.equal(status, 200, text)
  return body
}
const list = async (user: Acme['member'], query = '') => (await user.get(`${url}${query}`)).body
/** Coaching presets would count as published scenarios. */
const withoutPresets = ({ id, sql }: Acme) =>
  sql(`update enablement.coaching_scenarios set status = 'archived' where tenant_id = $1`, [id])

test('enablement-9-1 enablement-9-3 the worked example, and the score after the overdue path is completed', async () => {
  const acme = await tenant()
  const { overdue } = await prepareExample(acme)
  const { userId } = acme.member

  const before = await detail(acme.member, userId)
  await recompute()
  const stored = (await list(acme.manager)).items.find(({ user }: { user: { id: string } }) => user.id === userId)
  const completed = await complete(acme.member, overdue, overdue.lastModule)
  assert.equal(completed.status, 200, completed.text)
  const after = await detail(acme.member, userId)

  assert.partialDeepStrictEqual(before, {
    score: 60.5,
    level: 'developing',
    coverage: 1,
    components: {
      learning: { score: 73.9, weight: 35, inputs: { enrollments: 2, overdue: 1, quiz_scores: 1 } },
      coaching: { score: 61.11, inputs: { sessions: 2, target: 3 } },
      pitch: { score: 39.5, inputs: { assigned: 2, submitted: 1, overdue: 1 } },
      content: { score: 57.5, inputs: { items: 6, required: 4, required_read: 2, shares: 1 } },
    },
  })
  assert.deepEqual(
    before.next_actions
      .slice(0, 2)
      .map(({ kind, impact_points }: { kind: string; impact_points: number }) => [kind, impact_points]),
    [
      ['enrollment_overdue', 7.9],
      ['pitch_due', 7.5],
    ],
  )
  assert.equal(before.next_actions.length, 5)
  assert.partialDeepStrictEqual(stored, { score: 60.5, top_gap: { kind: 'enrollment_overdue' }, change_30d: null })
  assert.equal(after.score, 68.4)
})

test('enablement-9-3 completing the overdue module marks the learner, and the details show the new score at once', async () => {
  const acme = await tenant()
  const path = await createPath(acme)
  const { userId } = acme.member
  const enrollment = await assignPath(acme, acme.member, path, { due: dayOf(3) })
  const before = await detail(acme.member, userId)
  await acme.sql('delete from enablement.readiness_marks where tenant_id = $1', [acme.id])

  const done = await complete(acme.member, enrollment, path.modules[0]!)

  assert.equal(done.status, 200, done.text)
  const after = await detail(acme.member, userId)
  assert.deepEqual([before.components.learning.score, before.gaps[0].kind], [0, 'enrollment_overdue'])
  assert.equal(after.components.learning.score, 100)
  const { rows: marks } = await acme.sql('select from enablement.readiness_marks where user_id = $1', [userId])
  assert.ok(marks.length > 0)
  const listed = (await list(acme.member)).items[0]
  assert.equal(listed.score, after.score)
})

test('enablement-9-2 a new user, and a workspace without scenarios and content', async () => {
  const [acme, globex] = [await tenant(), await tenant()]
  await createScenario(acme)
  await createPublishedItem(acme)
  await withoutPresets(globex)

  const [started, empty] = [
    await detail(acme.admin, acme.member.userId),
    await detail(globex.member, globex.member.userId),
  ]

  assert.partialDeepStrictEqual(started, { score: 0, level: 'not_ready', coverage: 0.45 })
  assert.deepEqual([started.components.coaching.score, started.components.content.score], [0, 0])
  assert.equal(started.components.learning.score, null)
  assert.partialDeepStrictEqual(empty, { score: null, level: 'unknown', coverage: 0, gaps: [], next_actions: [] })
})

test('enablement-9-4 a readiness is shown to the user, leads and managers', async () => {
  const [acme, globex] = [await tenant(), await tenant()]
  const { lead, seller, colleague } = await createTeam(acme)
  const statusOf = async (user: Acme['member'], id: string) => {
    const { status, body } = await user.get(`${url}/${id}`)
    return [status, body.code]
  }
  const idsOf = async (user: Acme['member']) =>
    (await list(user)).items.map(({ user: { id } }: { user: { id: string } }) => id).sort()

  assert.deepEqual(await statusOf(colleague, seller.userId), [403, 'role_required'])
  assert.deepEqual(await statusOf(seller, seller.userId), [200, undefined])
  assert.deepEqual(await statusOf(lead, seller.userId), [200, undefined])
  assert.deepEqual(await statusOf(lead, acme.member.userId), [403, 'role_required'])
  assert.deepEqual(await statusOf(acme.manager, seller.userId), [200, undefined])
  assert.deepEqual(await statusOf(acme.manager, globex.member.userId), [404, 'not_found'])
  assert.deepEqual(await idsOf(seller), [seller.userId])
  assert.deepEqual(await idsOf(lead), [lead, seller, colleague].map(({ userId }) => userId).sort())
  assert.deepEqual(await idsOf(acme.viewer), [])
  assert.equal((await idsOf(acme.manager)).includes(acme.viewer.userId), false)
  assert.equal((await idsOf(acme.manager)).length, 6)
  assert.equal((await acme.manager.get(`${url}?team_id=${newId()}`)).status, 422)
})

test('enablement-9-6 a private roleplay changes nothing', async () => {
  const acme = await tenant()
  await createScenario(acme)
  await insertSession(acme, acme.member.userId, 100, 1, { is_private: true })
  assert.equal((await detail(acme.member, acme.member.userId)).components.coaching.score, 0)
})

test('enablement-9-7 the weights must add up to 100, and new weights apply to all users', async () => {
  const acme = await tenant()
  await prepareExample(acme)
  const set = (weights: object) => acme.admin.patch('/api/admin/settings', { enablement: { readiness: { weights } } })

  const wrong = await set({ learning: 50, coaching: 50, pitch: 50, content: 0 })
  const right = await set({ learning: 50, coaching: 30, pitch: 0, content: 20 })
  const { score, components } = await detail(acme.member, acme.member.userId)

  assert.deepEqual([wrong.status, wrong.body.errors[0].path], [422, '/enablement/readiness/weights'])
  assert.equal(right.status, 200, right.text)
  assert.deepEqual([score, components.pitch], [66.8, { score: 39.5, weight: 0, inputs: components.pitch.inputs }])
  await waitUntil(async () => {
    const { rows } = await acme.sql('select from enablement.readiness_marks where user_id = $1', [acme.viewer.userId])
    const { rows: marks } = await acme.sql('select from enablement.readiness_marks where user_id = $1', [
      acme.manager.userId,
    ])
    return rows.length === 0 && marks.length > 0
  })
})

test('enablement-9-8 the average of a team counts scores only, without deactivated users', async () => {
  const acme = await tenant()
  const { lead, seller, colleague, teamId } = await createTeam(acme)
  const setScore = (userId: string, tenths: number | null, level: string) =>
    acme.sql(
      `insert into enablement.readiness_scores (tenant_id, user_id, score_tenths, level, coverage, components, gaps, computed_at, valid_until)
       values ($1, $2, $3, $4, 1, '{"learning":null,"coaching":null,"pitch":null,"content":null}', '[]', now(), 'infinity')
       on conflict on constraint readiness_scores_pkey do update set score_tenths = excluded.score_tenths, level = excluded.level`,
      [acme.id, userId, tenths, level],
    )
  await setScore(lead.userId, 600, 'developing')
  await setScore(seller.userId, 800, 'ready')
  await setScore(colleague.userId, null, 'unknown')
  await acme.sql('delete from enablement.readiness_marks where tenant_id = $1', [acme.id])

  const { items, summary } = await list(acme.manager, `?team_id=${teamId}`)
  const ready = await list(acme.manager, `?team_id=${teamId}&level=ready`)
  const byName = await list(acme.manager, `?team_id=${teamId}&sort=name&limit=2`)
  const next = await list(acme.manager, `?team_id=${teamId}&sort=name&limit=2&cursor=${byName.next_cursor}`)
  await acme.admin.patch(`/api/users/${lead.userId}`, { status: 'deactivated' })
  const after = await list(acme.manager, `?team_id=${teamId}`)
  const history = await detail(acme.manager, lead.userId)

  assert.deepEqual(
    items.map(({ user, score }: { user: { id: string }; score: number }) => [user.id, score]),
    [
      [lead.userId, 60],
      [seller.userId, 80],
      [colleague.userId, null],
    ],
  )
  assert.partialDeepStrictEqual(summary, {
    average: 70,
    median: 70,
    scored: 2,
    by_level: { ready: 1, developing: 1, at_risk: 0, not_ready: 0, unknown: 1 },
    teams: [{ team: { id: teamId, name: 'Sales' }, members: 3, average: 70 }],
  })
  assert.deepEqual([ready.items.length, ready.summary.average], [1, 80])
  assert.deepEqual([byName.items.length, next.items.length], [2, 1])
  assert.deepEqual([after.items.length, after.summary.average], [2, 80])
  assert.equal(history.score, 60)
})

test('enablement-9-9 a second run changes no row, and a new level is told once', async () => {
  const acme = await tenant()
  await createScenario(acme)
  const { userId } = acme.member
  await acme.sql('insert into enablement.readiness_marks (tenant_id, id, user_id) values ($1, $2, $3)', [
    acme.id,
    newId(),
    userId,
  ])
  await recompute()
  for (const days of [1, 2, 3]) await insertSession(acme, userId, 90, days)
  const mark = () =>
    acme.sql('insert into enablement.readiness_marks (tenant_id, id, user_id) values ($1, $2, $3)', [
      acme.id,
      newId(),
      userId,
    ])
  await mark()
  await recompute()
  const read = async () =>
    (
      await acme.sql(
        'select user_id, score_tenths, level, components, gaps from enablement.readiness_scores where tenant_id = $1 order by 1',
        [acme.id],
      )
    ).rows
  const first = await read()
  await mark()
  await recompute()
  await runTenantSchedule(app, recomputeAllReadinessSchedule(services))

  const second = await read()
  assert.partialDeepStrictEqual(
    second.find((row) => row.user_id === userId),
    { score_tenths: 900, level: 'ready' },
  )
  assert.deepEqual(
    second.filter((row) => first.some((old) => old.user_id === row.user_id)),
    first,
  )
  const changes = (await acme.events()).filter((type) => type === 'readiness.level_changed')
  assert.equal(changes.length, 1)
  const { history } = await detail(acme.member, userId)
  assert.deepEqual(history, [{ day: clock.now().toISOString().slice(0, 10), score: 90 }])
  assert.equal((await acme.sql('select from enablement.readiness_marks where user_id = $1', [userId])).rows.length, 0)
})

test('readers are marked every hour, and reading required content counts for the current version', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme, { is_required_reading: true })
  const { body } = await acme.member.get(`/api/enablement/content/${item.id}`)
  clock.advance(20)
  await acme.member.patch(`/api/enablement/content/views/${body.view_id}`, { active_seconds: 20 })
  await acme.viewer.get(`/api/enablement/content/${item.id}`)

  await runTenantSchedule(app, markReadersSchedule(services))

  const marksOf = async (userId: string) =>
    (await acme.sql('select from enablement.readiness_marks where user_id = $1', [userId])).rows.length
  assert.deepEqual([(await marksOf(acme.member.userId)) > 0, await marksOf(acme.viewer.userId)], [true, 1])
  await recompute()
  const { rows } = await acme.sql('select user_id from enablement.readiness_scores where tenant_id = $1', [acme.id])
  assert.equal(
    rows.some(({ user_id }) => user_id === acme.viewer.userId),
    false,
  )
  assert.equal(
    rows.some(({ user_id }) => user_id === acme.member.userId),
    true,
  )
  assert.deepEqual((await detail(acme.member, acme.member.userId)).components.content.inputs, {
    items: 1,
    required: 1,
    required_read: 1,
    shares: 0,
  })
})

test('the list is searched by name and shows the change of 30 days', async () => {
  const acme = await tenant()
  const person = await acme.person('member', { name: 'Zoë Quick' })
  await createScenario(acme)
  for (const days of [1, 2, 3]) await insertSession(acme, person.userId, 75, days)
  await acme.sql(
    `insert into enablement.readiness_snapshots (tenant_id, user_id, day, score_tenths, components) values ($1, $2, $3, 500, '{}')`,
    [acme.id, person.userId, dayOf(31)],
  )

  const { items } = await list(acme.manager, '?search=zoe&sort=-score')

  assert.deepEqual(items.length, 1)
  assert.deepEqual([items[0].score, items[0].change_30d], [75, 25])
})
