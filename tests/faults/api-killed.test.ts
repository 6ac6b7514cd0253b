import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { startApiProcess } from './api-process.fixture.ts'

const { tenant, config } = await startTestApp()

test('a request whose API process was killed after the commit can be repeated with its idempotency key', async () => {
  const acme = await tenant()
  const killed = await startApiProcess(config)
  const headers = {
    host: acme.host,
    authorization: `Bearer ${acme.manager.accessToken}`,
    'idempotency-key': 'create-sales',
  }
  const sales = { name: 'Sales' }

  const failed = killed.send('POST', '/api/teams/', { ...headers, 'x-kill': 'before-response' }, sales)
  await assert.rejects(failed, /socket hang up|ECONNRESET/)
  if (killed.child.signalCode === null) await once(killed.child, 'exit')
  const replacement = await startApiProcess(config)
  const repeated = await replacement.send('POST', '/api/teams/', headers, sales)

  const { rows } = await acme.sql('select id from identity.teams where tenant_id = $1', [acme.id])
  assert.equal(killed.child.signalCode, 'SIGKILL')
  assert.equal(rows.length, 1)
  assert.equal(repeated.status, 201)
  assert.equal(repeated.headers['idempotency-replayed'], 'true')
  assert.equal(repeated.headers.location, `/api/teams/${rows[0].id}`)
  assert.partialDeepStrictEqual(repeated.body, { id: rows[0].id, name: 'Sales', version: 1 })
  assert.deepEqual(await acme.events(), ['team.created'])
})
