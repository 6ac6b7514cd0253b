import assert from 'node:assert/strict'
import { test } from 'node:test'
import { poolUsage } from '#platform/db'
import { startTestApp, waitUntil } from '#testing'

const { tenant, services } = await startTestApp({ DATABASE_POOL_SIZE: '1', DATABASE_MAX_WAITING: '2' })
const sharing = await startTestApp({ DATABASE_POOL_SIZE: '4' })
const { pool } = services.db
// A slow machine must not end the waiting early.
pool.options.connectionTimeoutMillis = 60_000

/** Occupies the only connection and puts `waiting` transactions into the queue. */
async function fillQueue(waiting: number) {
  const connection = await pool.connect()
  const queued = Array.from({ length: waiting }, waitForConnection)
  return async () => {
    connection.release()
    await Promise.all(queued)
  }
}

const waitForConnection = async () => (await pool.connect()).release()

test('requests are rejected at once while many transactions wait for a connection', async () => {
  const acme = await tenant()

  const release = await fillQueue(2)
  const rejected = await acme.viewer.get('/api/teams/')
  const anonymous = await acme.anonymous.get('/api/teams/')
  const health = await acme.anonymous.get('/api/health')
  const signOut = acme.member.post('/api/auth/logout')
  await waitUntil(() => poolUsage(services.db).waiting === 3)
  await release()

  assert.deepEqual([rejected.status, rejected.body.code], [503, 'dependency_unavailable'])
  assert.ok(Number(rejected.headers['retry-after']) > 0)
  assert.equal(anonymous.status, 503)
  assert.equal(health.status, 200)
  assert.equal((await signOut).status, 200)
  assert.equal((await acme.viewer.get('/api/teams/')).status, 200)
})

test('a request that was admitted is not rejected later', async () => {
  const acme = await tenant()

  const release = await fillQueue(1)
  const admitted = acme.manager.post('/api/teams/', { name: 'Sales' }, { 'idempotency-key': 'sales' })
  await waitUntil(() => poolUsage(services.db).waiting === 2)
  const others = Array.from({ length: 5 }, waitForConnection)
  await release()

  assert.equal((await admitted).status, 201)
  await Promise.all(others)
})

test('a workspace makes one exact count at a time, and other workspaces do not wait for them', async () => {
  const [acme, globex] = [await sharing.tenant(), await sharing.tenant()]
  const owner = await sharing.owner.connect()
  await owner.query('begin; lock table identity.teams in access exclusive mode')
  const counts = Array.from({ length: 4 }, () => acme.viewer.get('/api/teams/?count=exact'))
  await waitUntil(async () => (await countBlocked()) > 0)

  const blocked = await countBlocked()
  const list = await globex.viewer.get('/api/leads/?count=exact')
  await owner.query('rollback')
  owner.release()

  assert.equal(blocked, 1)
  assert.equal(list.status, 200)
  for (const { status } of await Promise.all(counts)) assert.equal(status, 200)

  async function countBlocked(): Promise<number> {
    const { rows } = await sharing.owner.query(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0].n
  }
})

test('a workspace whose requests hang leaves connections to the others', async () => {
  const [acme, globex] = [await sharing.tenant(), await sharing.tenant()]
  const { body: team } = await acme.manager.post('/api/teams/', { name: 'Sales' })
  const owner = await sharing.owner.connect()
  await owner.query('begin')
  await owner.query('select from identity.teams where id = $1 for update', [team.id])
  const updates = Array.from({ length: 8 }, (_, n) =>
    acme.manager.patch(`/api/teams/${team.id}`, { name: `Sales ${n}` }),
  )
  await waitUntil(() => poolUsage(sharing.services.db).waiting > 0)

  const list = await globex.viewer.get('/api/teams/')
  await owner.query('rollback')
  owner.release()
  const statuses = (await Promise.all(updates)).map(({ status }) => status)

  assert.equal(list.status, 200)
  assert.ok(
    statuses.every((status) => [200, 429, 503].includes(status)),
    statuses.join(),
  )
})
