// Concurrent changes of the same keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { scopesOfRole, type UserActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { startTestApp, type TestUser } from '#testing'
import { deleteConnectedApp } from '../connected-apps/connected-apps.service.ts'
import { createApiKey, revokeApiKey } from './api-keys.service.ts'
import { rotateApiKey } from './rotate-api-key.service.ts'

const app = await startTestApp()

type Tenant = Awaited<ReturnType<typeof app.tenant>>
type ApiResponse = { status: number; body: { code: string; id: string } }
const nightly = { name: 'Nightly export', scopes: ['crm.read'] }
const createKey = async (person: TestUser, fields: object = {}) =>
  (await person.post('/api/api-keys', { ...nightly, ...fields })).body
const asActor = ({ id: tenantId }: Tenant, { userId, role, sessionId }: TestUser): UserActor => ({
  tenantId,
  type: 'user',
  userId,
  role,
  sessionId,
  actorUserId: null,
  apiKeyId: null,
  scopes: scopesOfRole(role),
  trace: null,
  origin: 'api',
})

/** Runs `first` in a transaction that stays open until the other request waits for its lock, then commits. */
async function runWhileLocked(
  actor: UserActor,
  first: (tx: TenantTx) => Promise<unknown>,
  request: () => Promise<unknown>,
) {
  let second: Promise<unknown> | undefined
  let isSettled = false
  await inTenant(app.db, actor, async (tx) => {
    await first(tx)
    second = request().finally(() => {
      isSettled = true
    })
    await sleep(300)
    assert.equal(isSettled, false, 'the second request must wait for the first')
  })
  return (await second) as ApiResponse
}

async function liveKeys({ sql, id }: Tenant): Promise<string[]> {
  const { rows } = await sql('select id from identity.api_keys where tenant_id = $1 and revoked_at is null', [id])
  return rows.map((row) => row.id)
}

test('one of several concurrent rotations succeeds and the others get a conflict', async () => {
  const acme = await app.tenant()
  const old = await createKey(acme.member)

  const responses = await Promise.all(
    [0, 60, 60, 0, 60].map((overlap_seconds) =>
      acme.member.post(`/api/api-keys/${old.id}/rotate`, { overlap_seconds }),
    ),
  )

  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
  assert.ok(responses.every(({ status, body }) => status === 201 || body.code === 'conflict'))
  const { rows } = await acme.sql(
    'select count(*)::int as successors from identity.api_keys where rotated_from_id = $1',
    [old.id],
  )
  assert.equal(rows[0].successors, 1)
  assert.equal((await acme.events()).filter((type) => type === 'api_key.rotated').length, 1)
})

test('concurrent revocation and rotation of a key are serialized', async () => {
  const acme = await app.tenant()
  const actor = asActor(acme, acme.member)
  const [one, other] = [await createKey(acme.member), await createKey(acme.member)]

  const rotation = await runWhileLocked(
    actor,
    (tx) => revokeApiKey(tx, actor, one.id),
    () => acme.member.post(`/api/api-keys/${one.id}/rotate`, { overlap_seconds: 60 }),
  )
  let successor = ''
  const revocation = await runWhileLocked(
    actor,
    async (tx) => {
      successor = (await rotateApiKey(tx, actor, other.id, { overlap_seconds: 60 }, app)).id
    },
    () => acme.member.delete(`/api/api-keys/${other.id}`),
  )

  assert.deepEqual([rotation.status, rotation.body.code], [409, 'conflict'])
  assert.equal(revocation.status, 204)
  assert.deepEqual(await liveKeys(acme), [successor], 'who revokes the old key keeps the new one')
})

test('a key cannot be added to an app that is being deleted and is revoked with it', async () => {
  const acme = await app.tenant()
  const connect = async (name: string) => (await acme.manager.post('/api/connected-apps', { name })).body
  const [leaving, joined] = [await connect('Leaving'), await connect('Joined')]
  const [manager, member] = [asActor(acme, acme.manager), asActor(acme, acme.member)]
  const moved = await createKey(acme.member)

  const late = await runWhileLocked(
    manager,
    (tx) => deleteConnectedApp(tx, leaving.id, {}, app),
    () => acme.member.post('/api/api-keys', { ...nightly, connected_app_id: leaving.id }),
  )
  const lateMove = await acme.member.patch(`/api/api-keys/${moved.id}`, { connected_app_id: leaving.id })
  const deletion = await runWhileLocked(
    member,
    (tx) => createApiKey(tx, member, { name: 'Just in', scopes: ['crm.read'], connected_app_id: joined.id }, app),
    () => acme.manager.delete(`/api/connected-apps/${joined.id}`),
  )

  for (const { status, body } of [late, lateMove]) assert.deepEqual([status, body.code], [422, 'unknown_reference'])
  assert.equal(deletion.status, 204)
  assert.deepEqual(await liveKeys(acme), [moved.id])
})

test('an app is not deleted while one of its keys is being rotated', async () => {
  const acme = await app.tenant()
  const billing = (await acme.manager.post('/api/connected-apps', { name: 'Billing' })).body
  const member = asActor(acme, acme.member)
  const old = await createKey(acme.member, { connected_app_id: billing.id })

  const deletion = await runWhileLocked(
    member,
    (tx) => rotateApiKey(tx, member, old.id, { overlap_seconds: 60 }, app),
    () => acme.manager.delete(`/api/connected-apps/${billing.id}`),
  )

  assert.equal(deletion.status, 204)
  assert.deepEqual(await liveKeys(acme), [])
})

test('erasing a user with keys waits for the deletion of an app', async () => {
  const acme = await app.tenant()
  const billing = (await acme.manager.post('/api/connected-apps', { name: 'Billing' })).body
  const creator = await acme.person('member')
  const manager = asActor(acme, acme.manager)
  const key = await createKey(creator)
  await acme.sql(`update identity.api_keys set last_used_ip = '10.0.0.1' where id = $1`, [key.id])
  await acme.admin.patch(`/api/users/${creator.userId}`, { status: 'deactivated' })

  const erasure = await runWhileLocked(
    manager,
    (tx) => deleteConnectedApp(tx, billing.id, {}, app),
    () => acme.admin.delete(`/api/users/${creator.userId}`),
  )

  assert.equal(erasure.status, 204)
  const { rows } = await acme.sql('select last_used_ip from identity.api_keys where id = $1', [key.id])
  assert.deepEqual(rows, [{ last_used_ip: null }])
})

test('a key created during the deactivation of its creator stays revoked after reactivation', async () => {
  const acme = await app.tenant()
  const creator = await acme.person('member')
  const actor = asActor(acme, creator)
  const become = (status: string) => acme.admin.patch(`/api/users/${creator.userId}`, { status })

  const deactivation = await runWhileLocked(
    actor,
    (tx) => createApiKey(tx, actor, { name: 'Just made', scopes: ['crm.read'] }, app),
    () => become('deactivated'),
  )
  const late = inTenant(app.db, actor, (tx) => createApiKey(tx, actor, { name: 'Late', scopes: ['crm.read'] }, app))

  assert.equal(deactivation.status, 200)
  await assert.rejects(late, { code: 'account_disabled' })
  assert.equal((await become('active')).status, 200)
  assert.deepEqual(await liveKeys(acme), [])
})
