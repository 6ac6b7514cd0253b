import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { startApiProcess } from './api-process.fixture.ts'

const { tenant, config } = await startTestApp()

test('an API killed between commit and answer has told the truth to whoever asks again', async () => {
  const acme = await tenant()
  const dying = await startApiProcess(config)
  const headers = {
    host: acme.host,
    authorization: `Bearer ${acme.manager.accessToken}`,
    'idempotency-key': 'form-sales',
  }
  const sales = { name: 'Sales' }

  const lost = dying.send('POST', '/api/teams/', { ...headers, 'x-die': 'before the answer' }, sales)
  await assert.rejects(lost, /socket hang up|ECONNRESET/)
  if (dying.child.signalCode === null) await once(dying.child, 'exit')
  const survivor = await startApiProcess(config)
  const repeated = await survivor.send('POST', '/api/teams/', headers, sales)

  const { rows } = await acme.sql('select id from identity.teams where tenant_id = $1', [acme.id])
  assert.equal(dying.child.signalCode, 'SIGKILL')
  assert.equal(rows.length, 1)
  assert.equal(repeated.status, 201)
  assert.equal(repeated.headers['idempotency-replayed'], 'true')
  assert.equal(repeated.headers.location, `/api/teams/${rows[0].id}`)
  assert.partialDeepStrictEqual(repeated.body, { id: rows[0].id, name: 'Sales', version: 1 })
  assert.deepEqual(await acme.events(), ['team.created'])
})
