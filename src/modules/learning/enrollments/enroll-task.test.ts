// The task that enrolls many users: what it does after a crash, and when its requester loses the right to enroll.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitForTask, waitUntil } from '#testing'
import { type Acme, createPath } from '../learning.fixture.ts'

/** With `ENROLLED_USERS=5000`, the size that the task was made for, the test also waits for all notifications. */
const { ENROLLED_USERS: givenUsers } = process.env
const users = Number(givenUsers ?? 620)

const { tenant, startTestWorker, owner } = await startTestApp({}, { isOwn: true })

/** Creates a team by SQL, because inserting users by requests would take minutes. */
async function createBigTeam(acme: Acme, size: number): Promise<{ teamId: string; userIds: string[] }> {
  const { body: team } = await acme.admin.post('/api/teams/', { name: 'Everyone' })
  const { rows } = await acme.sql(
    `with people as (
       insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text)
       select $1, gen_random_uuid(), 'u' || n || '@x.example', 'User ' || n, 'member', 'active', false, 'admin', ''
       from generate_series(1, $3::int) n returning id
     )
     insert into identity.team_members (tenant_id, id, team_id, user_id, role)
     select $1, gen_random_uuid(), $2, id, 'member' from people
     returning user_id`,
    [acme.id, team.id, size],
  )
  return { teamId: team.id, userIds: rows.map(({ user_id }: { user_id: string }) => user_id).sort() }
}

const countRows = async (acme: Acme, table: string) =>
  (await acme.sql(`select count(*)::int as count from ${table} where tenant_id = $1`, [acme.id])).rows[0].count

test('a task that crashes in the middle enrolls and notifies every user once', async () => {
  const acme = await tenant()
  const path = await createPath(acme)
  const { teamId, userIds } = await createBigTeam(acme, users)
  // A sequence remembers the crash, although its transaction is rolled back.
  await owner.query(`
    create sequence public.crashes;
    create function public.crash_once() returns trigger security definer language plpgsql as $$ begin
      if new.user_id = '${userIds[600]}' and nextval('public.crashes') = 1 then raise exception 'the server lost its power'; end if;
      return new; end $$;
    create trigger crash_once before insert on enablement.learning_enrollments
      for each row execute function public.crash_once()`)

  const started = await acme.manager.post(`${path.url}/enroll`, { team_ids: [teamId] })
  const worker = await startTestWorker()
  await waitUntil(async () => {
    await owner.query(`update pgboss.job_common set start_after = now() where state = 'retry'`)
    return (await acme.admin.get(started.body.status_url)).body.state === 'succeeded'
  }, 120)
  const task = await waitForTask(acme, started.body)
  const listNotices = () =>
    acme.sql(
      `select user_id, count(*)::int as notices from platform.notifications
       where tenant_id = $1 and kind = 'learning.enrolled' group by user_id`,
      [acme.id],
    )
  await waitUntil(async () => ((await listNotices()).rowCount ?? 0) >= (givenUsers ? users : 1), 600)
  await worker.stop()

  assert.equal(started.status, 202)
  assert.deepEqual([task.result.enrolled, task.result.already], [users, 0])
  assert.equal((await owner.query('select last_value::int as value from public.crashes')).rows[0].value, 2)
  assert.equal(await countRows(acme, 'enablement.learning_enrollments'), users)
  assert.equal(await countRows(acme, 'enablement.enrollment_modules'), users)
  assert.equal((await acme.events()).filter((type) => type === 'learning_enrollment.created').length, users)
  const { rows } = await listNotices()
  assert.deepEqual(
    rows.filter(({ notices }) => notices !== 1),
    [],
  )
})

test('a task stops when its requester is no longer a manager', async () => {
  const acme = await tenant()
  const path = await createPath(acme)
  const { teamId } = await createBigTeam(acme, 201)

  const started = await acme.manager.post(`${path.url}/enroll`, { team_ids: [teamId] })
  assert.equal((await acme.admin.patch(`/api/users/${acme.manager.userId}`, { role: 'member' })).status, 200)
  const worker = await startTestWorker()
  const task = await waitForTask(acme, started.body)
  await worker.stop()

  assert.deepEqual([task.state, task.error.code], ['failed', 'role_required'])
  assert.equal(await countRows(acme, 'enablement.learning_enrollments'), 0)
})
