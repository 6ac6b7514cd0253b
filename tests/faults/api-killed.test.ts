import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { startTestApp, waitForValue } from '#testing'
import { startApiProcess } from './api-process.fixture.ts'

const { tenant, config } = await startTestApp()

test('requests whose API process was killed can be repeated with their idempotency keys', async () => {
  const acme = await tenant()
  const killed = await startApiProcess(config)
  const headers = { host: acme.host, authorization: `Bearer ${acme.manager.accessToken}` }
  const [keyOfSales, keyOfSupport] = [{ 'idempotency-key': 'create-sales' }, { 'idempotency-key': 'create-support' }]
  const [sales, support] = [{ name: 'Sales' }, { name: 'Support' }]
  /** Returns the seconds until the lease of the interrupted request ends. */
  const readLease = async (): Promise<number> => {
    const { rows } = await acme.sql(
      `select extract(epoch from lease_until - clock_timestamp())::float8 as seconds
       from platform.idempotency_keys where tenant_id = $1 and status is null`,
      [acme.id],
    )
    return rows[0]?.seconds
  }

  const held = { ...headers, ...keyOfSupport, 'x-kill': 'hold-before-transaction' }
  const interrupted = assert.rejects(killed.send('POST', '/api/teams/', held, support), /socket hang up|ECONNRESET/)
  await waitForValue(readLease, Boolean)
  const failed = killed.send('POST', '/api/teams/', { ...headers, ...keyOfSales, 'x-kill': 'before-response' }, sales)
  await assert.rejects(failed, /socket hang up|ECONNRESET/)
  await interrupted
  if (killed.child.signalCode === null) await once(killed.child, 'exit')
  const replacement = await startApiProcess(config)
  const repeated = await replacement.send('POST', '/api/teams/', { ...headers, ...keyOfSales }, sales)

  const leaseBefore = await readLease()
  const tooEarly = await replacement.send('POST', '/api/teams/', { ...headers, ...keyOfSupport }, support)
  const leaseAfter = await readLease()
  await acme.sql('update platform.idempotency_keys set lease_until = now() where tenant_id = $1', [acme.id])
  const takenOver = await replacement.send('POST', '/api/teams/', { ...headers, ...keyOfSupport }, support)

  const { rows } = await acme.sql(`select id from identity.teams where tenant_id = $1 and name = 'Sales'`, [acme.id])
  assert.equal(killed.child.signalCode, 'SIGKILL')
  assert.equal(rows.length, 1)
  assert.equal(repeated.status, 201)
  assert.equal(repeated.headers['idempotency-replayed'], 'true')
  assert.equal(repeated.headers.location, `/api/teams/${rows[0].id}`)
  assert.partialDeepStrictEqual(repeated.body, { id: rows[0].id, name: 'Sales', version: 1 })
  const retryAfter = Number(tooEarly.headers['retry-after'])
  assert.equal(tooEarly.status, 409)
  assert.ok(retryAfter <= Math.ceil(leaseBefore) && retryAfter >= Math.ceil(leaseAfter), `${retryAfter}`)
  assert.deepEqual([takenOver.status, takenOver.headers['idempotency-replayed']], [201, undefined])
  assert.deepEqual(await acme.events(), ['team.created', 'team.created'])
})
