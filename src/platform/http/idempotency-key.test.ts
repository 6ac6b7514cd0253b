import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import type { Routes } from './index.ts'

const routes: Routes = async (app) => {
  app.route({
    method: 'POST',
    url: '/api/teams/test-two-transactions',
    config: { scope: 'teams.write' },
    schema: { hide: true },
    handler: async (request) => {
      await request.inTenant(async () => ({ step: 1 }))
      return await request.inTenant(async () => ({ step: 2 }))
    },
  })
}
const { tenant } = await startTestApp({}, { routes: () => routes })
const key = (value: string) => ({ 'idempotency-key': value })
const sales = { name: 'Sales' }

test('a repeated request is processed once and its response replayed', async () => {
  const acme = await tenant()

  const first = await acme.manager.post('/api/teams/', sales, key('k1'))
  const again = await acme.manager.post('/api/teams/', sales, key('k1'))

  assert.deepEqual([first.status, again.status], [201, 201])
  assert.deepEqual(again.body, first.body)
  assert.deepEqual([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']], [undefined, 'true'])
  assert.deepEqual([first.headers.location, first.headers.etag], [`/api/teams/${first.body.id}`, '"1"'])
  assert.deepEqual([again.headers.location, again.headers.etag], [first.headers.location, first.headers.etag])
  assert.deepEqual(await acme.events(), ['team.created'])
})

test('a key is bound to one request of one caller', async () => {
  const acme = await tenant()
  await acme.manager.post('/api/teams/', sales, key('k1'))

  const otherBody = await acme.manager.post('/api/teams/', { name: 'Support' }, key('k1'))
  const otherCaller = await acme.admin.post('/api/teams/', { name: 'Support' }, key('k1'))
  const tooLong = await acme.manager.post('/api/teams/', sales, key('x'.repeat(256)))

  assert.deepEqual([otherBody.status, otherBody.body.errors[0].code], [422, 'reused'])
  assert.equal(otherCaller.status, 201)
  assert.equal(tooLong.status, 422)
})

test('one of many concurrent requests is processed, the others get 409 or its response', async () => {
  const acme = await tenant()

  const responses = await Promise.all(
    Array.from({ length: 20 }, () => acme.manager.post('/api/teams/', sales, key('k1'))),
  )

  const kinds = new Set(responses.map(({ status, body }) => `${status} ${body.code ?? ''}`))
  assert.ok(
    [...kinds].every((kind) => ['201 ', '409 conflict'].includes(kind)),
    [...kinds].join(),
  )
  assert.deepEqual(await acme.events(), ['team.created'])
})

test('a rejected request can be repeated with the same key', async () => {
  const acme = await tenant()
  await acme.manager.post('/api/teams/', sales)

  const rejected = await acme.manager.post('/api/teams/', sales, key('k1'))
  const { body } = await acme.manager.get('/api/teams/')
  await acme.manager.delete(`/api/teams/${body.items[0].id}`)
  const again = await acme.manager.post('/api/teams/', sales, key('k1'))

  assert.deepEqual([rejected.status, again.status], [409, 201])
})

test('one-time fields are null in a replayed response', async () => {
  const acme = await tenant()
  const ada = { email: 'ada@engines.example', name: 'Ada Lovelace', send_invite: false }

  const first = await acme.admin.post('/api/users/', ada, key('k1'))
  const again = await acme.admin.post('/api/users/', ada, key('k1'))

  assert.equal(first.body.temporary_password.length, 20)
  assert.equal(again.body.temporary_password, null)
  const { rows } = await acme.sql('select body from platform.idempotency_keys where tenant_id = $1', [acme.id])
  assert.ok(rows.every(({ body }) => !body.includes(first.body.temporary_password)))
})

test('a route that opens a second transaction is an error of the server, not a conflict of the request', async () => {
  const acme = await tenant()

  const { status, body } = await acme.manager.post('/api/teams/test-two-transactions', undefined, key('k1'))

  assert.deepEqual([status, body.code], [500, 'internal_error'])
})
