import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'

const app = await startTestApp()

type Tenant = Awaited<ReturnType<typeof app.tenant>>
async function machineOf(acme: Tenant, fields: object) {
  const { body } = await acme.admin.post('/api/api-keys', { name: 'Machine', ...fields })
  return { id: body.id as string, ...acme.bearer(`ApiKey ${body.key}`) }
}
const refusal = ({ status, body }: { status: number; body: { code: string; required_scope?: string } }) => [
  status,
  body.code,
  body.required_scope,
]

test('identity-6-3 a key is limited to its scopes and the error names the missing one', async () => {
  const acme = await app.tenant()
  const { id } = (await acme.admin.post('/api/teams/', { name: 'Looms' })).body
  const machine = await machineOf(acme, { scopes: ['teams.read'] })

  const read = await machine.get('/api/teams/')
  const formed = await machine.post('/api/teams/', { name: 'Engines' })
  const dissolved = await machine.delete(`/api/teams/${id}`)

  assert.equal(read.status, 200)
  assert.deepEqual(refusal(formed), [403, 'scope_required', 'teams.write'])
  assert.deepEqual(refusal(dissolved), [403, 'scope_required', 'teams.delete'])
})

test('identity-6-4 a write scope does not imply the read scope', async () => {
  const acme = await app.tenant()
  const machine = await machineOf(acme, { scopes: ['crm.write'] })

  const formed = await machine.post('/api/teams/', { name: 'Engines' })
  const read = await machine.get('/api/teams/')

  assert.equal(formed.status, 201)
  assert.deepEqual(refusal(read), [403, 'scope_required', 'teams.read'])
})

test('identity-6-5 writes of a read-only key are rejected first, even after a change of its scopes', async () => {
  const acme = await app.tenant()
  const machine = await machineOf(acme, { preset: 'read_only' })
  const write = async () => [
    await machine.post('/api/teams/', { name: '' }),
    await machine.post('/api/users/', {}),
    await machine.patch(`/api/teams/${newId()}`, {}),
    await machine.delete(`/api/teams/${newId()}`),
    await machine.post('/api/api-keys', {}),
  ]

  const before = await write()
  const changed = await acme.admin.patch(`/api/api-keys/${machine.id}`, { scopes: ['crm.read', 'crm.write'] })
  const after = await write()

  for (const { status, body } of [...before, ...after]) assert.deepEqual([status, body.code], [403, 'read_only_key'])
  assert.deepEqual(changed.body.scopes, ['crm.read', 'crm.write'])
  assert.ok(changed.body.effective_scopes.every((scope: string) => scope.endsWith('.read')))
  assert.equal((await machine.get('/api/teams/')).status, 200)
})

test('identity-6-7 a key loses write access with the role of its creator and regains it later', async () => {
  const acme = await app.tenant()
  const { body } = await acme.manager.post('/api/api-keys', { name: 'Machine', scopes: ['teams.write'] })
  const machine = acme.bearer(`ApiKey ${body.key}`)
  const become = (role: string) => acme.admin.patch(`/api/users/${acme.manager.userId}`, { role })

  const asManager = await machine.post('/api/teams/', { name: 'One' })
  await become('viewer')
  const asViewer = await machine.post('/api/teams/', { name: 'Two' })
  const fetched = await acme.admin.get(`/api/api-keys/${body.id}`)
  await become('manager')
  const again = await machine.post('/api/teams/', { name: 'Two' })

  assert.deepEqual([asManager.status, again.status], [201, 201])
  assert.deepEqual(refusal(asViewer), [403, 'scope_required', 'teams.write'])
  assert.deepEqual([fetched.body.scopes, fetched.body.effective_scopes], [['teams.write'], []])
})

test('new scopes apply from the next request', async () => {
  const acme = await app.tenant()
  const machine = await machineOf(acme, { scopes: ['teams.read'] })

  const before = await machine.get('/api/users/')
  await acme.admin.patch(`/api/api-keys/${machine.id}`, { scopes: ['users.read'] })
  const [users, teams] = [await machine.get('/api/users/'), await machine.get('/api/teams/')]

  assert.deepEqual([before.status, users.status, teams.status], [403, 200, 403])
})
