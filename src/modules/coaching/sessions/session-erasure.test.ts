import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitForTask, waitForValue } from '#testing'
import { type Acme, createScenario, sessionsUrl } from '../coaching.fixture.ts'

const { tenant, services, startTestWorker } = await startTestApp()
await startTestWorker()

const personal = Object.entries(services.registry.tables).flatMap(([table, { personal: columns = [] }]) =>
  /^enablement\.(coaching|roleplay)_/.test(table) ? columns.map((column) => [table, column] as const) : [],
)

/** Tables and columns that contain the text. */
async function listColumnsWith(acme: Acme, text: string): Promise<string[]> {
  const found: string[] = []
  for (const [table, column] of personal) {
    const { rowCount } = await acme.sql(
      `select from ${table} where tenant_id = $1 and ${column}::text like '%' || $2 || '%' limit 1`,
      [acme.id, text],
    )
    if (rowCount) found.push(`${table}.${column}`)
  }
  return found.sort()
}

test('an erased seller is in no session, and sessions of others lose only their erased coach', async () => {
  const acme = await tenant()
  const [seller, coach] = [await acme.person('member'), await acme.person('manager')]
  const scenario = await createScenario(acme)
  const text = 'Wobblethorpe'
  const schedule = async (repId: string) =>
    (await coach.post(`${scenario.url}/sessions`, { rep_id: repId, agenda: text })).body.id
  const [own, kept] = [await schedule(seller.userId), await schedule(acme.member.userId)]
  const { body: roleplay } = await seller.post(`${scenario.url}/roleplay/start`)
  await seller.post(`/api/enablement/coaching/roleplay/${roleplay.id}/message`, { text })
  const values = JSON.stringify([{ text }])
  await acme.sql(
    `update enablement.coaching_sessions set feedback = $2, rep_reflection = $2, scorecard = $3, coach_scores = $3, action_items = $3
     where id = $1`,
    [own, text, values],
  )
  // More sessions than a batch deletes.
  await acme.sql(
    `insert into enablement.coaching_sessions (tenant_id, id, kind, status, rep_id, scenario_snapshot)
     select $1, gen_random_uuid(), 'human', 'cancelled', $2, '{}' from generate_series(1, 210)`,
    [acme.id, seller.userId],
  )
  const before = await listColumnsWith(acme, text)
  const countOf = async (column: string, userId: string) => {
    const { rows } = await acme.sql(
      `select count(*)::int as n from enablement.coaching_sessions where ${column} = $1`,
      [userId],
    )
    return rows[0].n
  }

  for (const { userId } of [seller, coach]) {
    await acme.admin.patch(`/api/users/${userId}`, { status: 'deactivated' })
    assert.equal((await acme.admin.delete(`/api/users/${userId}`)).status, 204)
  }
  await waitForValue(
    async () => (await countOf('rep_id', seller.userId)) + (await countOf('coach_id', coach.userId)),
    (rows) => rows === 0,
  )

  assert.deepEqual(before, personal.map((names) => names.join('.')).sort(), 'every personal column had the text')
  const { status, body } = await acme.member.get(`${sessionsUrl}${kept}`)
  assert.deepEqual([status, body.agenda, body.coach], [200, text, null])
  await acme.sql('delete from enablement.coaching_sessions where id = $1', [kept])
  assert.deepEqual(await listColumnsWith(acme, text), [])
})

test('the scenarios of a user who leaves get another owner', async () => {
  const acme = await tenant()
  const [author, successor] = [await acme.person('manager'), await acme.person('manager')]
  const rubric = [{ key: 'next_step', name: 'Next step', weight: 1, kind: 'next_step' }]
  const { body: scenario } = await author.post('/api/enablement/coaching/scenarios/', {
    title: 'Call',
    type: 'demo',
    rubric,
  })

  const change = { status: 'deactivated', reassign_to_user_id: successor.userId }
  const { body } = await acme.admin.patch(`/api/users/${author.userId}`, change)
  const { state } = await waitForTask(acme, { status_url: `/api/tasks/${body.reassign_task_id}/status` })

  assert.equal(state, 'succeeded')
  const { body: moved } = await successor.get(`/api/enablement/coaching/scenarios/${scenario.id}`)
  assert.equal(moved.owner.id, successor.userId)
})
