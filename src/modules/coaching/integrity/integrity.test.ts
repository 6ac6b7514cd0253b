import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { runTenantSchedule } from '#testing'
import { createIntegrityRunner } from '../../operations/integrity/integrity.fixture.ts'
import { purgeMessagesSchedule } from '../roleplays/purge-messages.jobs.ts'
import { conversation, startRoleplayApp } from '../roleplays/roleplay.fixture.ts'

const app = await startRoleplayApp()
const { tenant, services, clock, start, converse, finish, createExercise } = app
const { find, findAll, assertRepairs } = createIntegrityRunner(services)
const [acme, other] = [await tenant(), await tenant()]
const scenario = await createExercise(acme)

async function createRoleplay() {
  const roleplay = await start(acme.member, scenario)
  await converse(acme.member, roleplay)
  return roleplay
}
const read = async ({ url }: { url: string }) => (await acme.member.get(url)).body

test('finished and running roleplays have no finding', async () => {
  const finished = await createRoleplay()
  await finish(acme.member, finished)
  const running = await createRoleplay()

  assert.deepEqual(
    (await findAll(acme.id)).filter(({ status }) => status !== 'ok'),
    [],
  )
  await finish(acme.member, running)
})

test('a roleplay whose evaluation does not end is reported and scored', async () => {
  const roleplay = await createRoleplay()
  const loseEvaluation = (seconds: number) =>
    acme.sql(
      `update enablement.coaching_sessions set status = 'evaluating', claim_id = $2, claimed_until = $3, last_activity_at = $3
       where id = $1`,
      [roleplay.id, newId(), new Date(clock.now().getTime() - seconds * 1_000)],
    )

  await loseEvaluation(500)
  assert.deepEqual(await find(acme.id, 'roleplay_evaluation_lost'), [])
  await loseEvaluation(700)
  assert.deepEqual(await find(other.id, 'roleplay_evaluation_lost'), [])
  await assertRepairs(acme.id, 'roleplay_evaluation_lost', [roleplay.id])

  const { status, scorecard } = await read(roleplay)
  assert.deepEqual([status, scorecard.engine], ['finished', 'rules'])
  const { body } = await acme.member.get('/api/auth/notifications')
  assert.equal(body.items[0].kind, 'coaching.roleplay_finished')
})

test('a roleplay with missing messages is reported', async () => {
  const [inside, atEnd] = [await createRoleplay(), await createRoleplay()]
  const remove = (id: string, seq: number) =>
    acme.sql('delete from enablement.roleplay_messages where session_id = $1 and seq = $2', [id, seq])

  await remove(inside.id, 5)
  await remove(atEnd.id, 13)

  assert.deepEqual(await find(acme.id, 'roleplay_message_gap'), [inside.id, atEnd.id].sort())
  assert.deepEqual(await find(other.id, 'roleplay_message_gap'), [])
  for (const roleplay of [inside, atEnd]) {
    await finish(acme.member, roleplay)
    await acme.sql('delete from enablement.roleplay_messages where session_id = $1', [roleplay.id])
  }
})

test('messages are deleted after the retention of the workspace, and scores and quotes stay', async () => {
  const [old, recent, open] = [await createRoleplay(), await createRoleplay(), await createRoleplay()]
  const { body: scored } = await finish(acme.member, old)
  await finish(acme.member, recent)
  const age = (id: string, days: number) =>
    acme.sql(
      `update enablement.roleplay_messages set created_at = $2::timestamptz - $3 * interval '1 day' where session_id = $1`,
      [id, clock.now(), days],
    )
  for (const [id, days] of [
    [old.id, 366],
    [recent.id, 364],
    [open.id, 400],
  ])
    await age(id, days)
  const purge = () => runTenantSchedule(app, purgeMessagesSchedule(services))
  const countOf = async (roleplay: { url: string }) => (await read(roleplay)).messages.length

  await purge()
  const counts = [await countOf(old), await countOf(recent), await countOf(open)]
  await acme.admin.patch('/api/admin/settings', { enablement: { transcript_retention_days: 30 } })
  await purge()

  assert.deepEqual(counts, [0, 13, 13])
  assert.deepEqual([await countOf(recent), await countOf(open)], [0, 13])
  const { scorecard, score } = await read(old)
  assert.deepEqual([scorecard, score], [scored.scorecard, scored.score])
  assert.ok(JSON.stringify(scorecard).includes(conversation[3]!))
  assert.deepEqual(await find(acme.id, 'roleplay_message_gap'), [])
  await finish(acme.member, open)
})
