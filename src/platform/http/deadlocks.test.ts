import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { tenant, owner, database } = await startTestApp({}, { isOwn: true })

// An update of a profile locks the profiles of others, so that two concurrent updates deadlock.
await owner.query(`
  alter role app in database ${database.name} set deadlock_timeout = '10ms';
  create sequence platform.updates;
  create sequence platform.inserts;
  grant usage on all sequences in schema platform to app;
  create function platform.lock_other_users() returns trigger language plpgsql as $$
  begin
    perform nextval('platform.updates'), pg_sleep(0.03);
    perform from identity.users where id <> new.id and title like 'Round%' for update;
    return new;
  end $$;
  create trigger lock_other_users before update of title on identity.users
    for each row when (old.title is not null) execute function platform.lock_other_users();
  create function platform.raise_deadlock() returns trigger language plpgsql as $$
  begin
    if new.name like 'Always%' or new.name like 'Once%' and nextval('platform.inserts') % 2 = 1
    then raise exception using errcode = '40P01'; end if;
    return new;
  end $$;
  create trigger raise_deadlock before insert on identity.teams
    for each row execute function platform.raise_deadlock();
`)

test('fifty deadlocks of concurrent requests cause no failure', async (t) => {
  const statuses: number[] = []
  const isEnough = async () => {
    const { rows } = await owner.query('select last_value from platform.updates')
    return Number(rows[0].last_value) - statuses.length >= 50
  }
  const collide = async () => {
    const { manager, member } = await tenant()
    const setTitle = (title: string) =>
      Promise.all([manager, member].map((user) => user.patch('/api/auth/profile', { title })))
    await setTitle('Round 0')
    for (let round = 1; round <= 100 && !(await isEnough()); round++)
      for (const { status } of await setTitle(`Round ${round}`)) statuses.push(status)
  }

  await Promise.all([collide(), collide(), collide(), collide()])

  t.diagnostic(`${statuses.length} requests`)
  assert.ok(await isEnough())
  assert.deepEqual(
    statuses.filter((status) => status !== 200 && status !== 503),
    [],
  )
  assert.ok(statuses.filter((status) => status === 200).length > statuses.length / 2)
})

test('a request with an idempotency key stores one response although its transaction ran twice', async () => {
  const { manager } = await tenant()
  const send = () => manager.post('/api/teams/', { name: 'Once' }, { 'idempotency-key': 'one' })

  const created = await send()
  const repeated = await send()

  assert.equal(created.status, 201)
  assert.equal(repeated.headers['idempotency-replayed'], 'true')
  assert.equal(repeated.body.id, created.body.id)
})

test('a request that deadlocks on every attempt gets 503 and can be repeated', async () => {
  const { manager } = await tenant()

  const { status, headers, body } = await manager.post('/api/teams/', { name: 'Always' }, { 'idempotency-key': 'two' })
  const repeated = await manager.post('/api/teams/', { name: 'Sales' }, { 'idempotency-key': 'two' })

  assert.deepEqual([status, body.code], [503, 'dependency_unavailable'])
  assert.ok(Number(headers['retry-after']) > 0)
  assert.equal(repeated.status, 201)
})
