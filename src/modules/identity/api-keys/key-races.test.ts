// What happens when two people change the same keys at the same moment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SignedIn, scopesOfRole } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { type Person, startTestApp } from '#testing'
import { disconnectApp } from '../connected-apps/connected-apps.service.ts'
import { createApiKey, revokeApiKey } from './api-keys.service.ts'
import { rotateApiKey } from './rotate-api-key.service.ts'

const app = await startTestApp()

type Tenant = Awaited<ReturnType<typeof app.tenant>>
type Answered = { status: number; body: { code: string; id: string } }
const nightly = { name: 'Nightly export', scopes: ['crm.read'] }
const make = async (person: Person, fields: object = {}) =>
  (await person.post('/api/api-keys', { ...nightly, ...fields })).body
const asActor = ({ id: tenantId }: Tenant, { userId, role, sessionId }: Person): SignedIn => ({
  ...{ tenantId, type: 'user', userId, role, sessionId, actorUserId: null, apiKeyId: null },
  ...{ scopes: scopesOfRole(role), trace: null, origin: 'api' },
})

/** Does `first` in a transaction that stays open until the other request has come and waits; then lets both go on. */
async function meanwhile(actor: SignedIn, first: (tx: TenantTx) => Promise<unknown>, request: () => Promise<unknown>) {
  let second: Promise<unknown> | undefined
  let isAnswered = false
  await inTenant(app.db, actor, async (tx) => {
    await first(tx)
    second = request().finally(() => {
      isAnswered = true
    })
    await sleep(300)
    assert.equal(isAnswered, false, 'the second one waits for the first')
  })
  return (await second) as Answered
}

async function liveKeys({ sql, id }: Tenant): Promise<string[]> {
  const { rows } = await sql('select id from identity.api_keys where tenant_id = $1 and revoked_at is null', [id])
  return rows.map((row) => row.id)
}

test('of many who rotate a key at once one succeeds, and the others are told', async () => {
  const acme = await app.tenant()
  const old = await make(acme.member)

  const answers = await Promise.all(
    [0, 60, 60, 0, 60].map((overlap_seconds) =>
      acme.member.post(`/api/api-keys/${old.id}/rotate`, { overlap_seconds }),
    ),
  )

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
  assert.ok(answers.every(({ status, body }) => status === 201 || body.code === 'conflict'))
  const { rows } = await acme.sql(
    'select count(*)::int as successors from identity.api_keys where rotated_from_id = $1',
    [old.id],
  )
  assert.equal(rows[0].successors, 1)
  assert.equal((await acme.events()).filter((type) => type === 'api_key.rotated').length, 1)
})

test('a key that is being revoked cannot be rotated, nor the other way round', async () => {
  const acme = await app.tenant()
  const actor = asActor(acme, acme.member)
  const [one, other] = [await make(acme.member), await make(acme.member)]

  const rotation = await meanwhile(
    actor,
    (tx) => revokeApiKey(tx, actor, one.id),
    () => acme.member.post(`/api/api-keys/${one.id}/rotate`, { overlap_seconds: 60 }),
  )
  let successor = ''
  const revocation = await meanwhile(
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

test('a key does not get into an app that is being removed, and goes with one it got into', async () => {
  const acme = await app.tenant()
  const connect = async (name: string) => (await acme.manager.post('/api/connected-apps', { name })).body
  const [leaving, joined] = [await connect('Leaving'), await connect('Joined')]
  const [manager, member] = [asActor(acme, acme.manager), asActor(acme, acme.member)]
  const moved = await make(acme.member)

  const late = await meanwhile(
    manager,
    (tx) => disconnectApp(tx, leaving.id, {}, app),
    () => acme.member.post('/api/api-keys', { ...nightly, connected_app_id: leaving.id }),
  )
  const lateMove = await acme.member.patch(`/api/api-keys/${moved.id}`, { connected_app_id: leaving.id })
  const removal = await meanwhile(
    member,
    (tx) => createApiKey(tx, member, { name: 'Just in', scopes: ['crm.read'], connected_app_id: joined.id }, app),
    () => acme.manager.delete(`/api/connected-apps/${joined.id}`),
  )

  for (const { status, body } of [late, lateMove]) assert.deepEqual([status, body.code], [422, 'unknown_reference'])
  assert.equal(removal.status, 204)
  assert.deepEqual(await liveKeys(acme), [moved.id])
})

test('an app is not removed under a key that is being rotated in it', async () => {
  const acme = await app.tenant()
  const billing = (await acme.manager.post('/api/connected-apps', { name: 'Billing' })).body
  const member = asActor(acme, acme.member)
  const old = await make(acme.member, { connected_app_id: billing.id })

  const removal = await meanwhile(
    member,
    (tx) => rotateApiKey(tx, member, old.id, { overlap_seconds: 60 }, app),
    () => acme.manager.delete(`/api/connected-apps/${billing.id}`),
  )

  assert.equal(removal.status, 204)
  assert.deepEqual(await liveKeys(acme), [])
})

test('somebody with keys is not erased while an app is being removed', async () => {
  const acme = await app.tenant()
  const billing = (await acme.manager.post('/api/connected-apps', { name: 'Billing' })).body
  const creator = await acme.person('member')
  const manager = asActor(acme, acme.manager)
  const key = await make(creator)
  await acme.sql(`update identity.api_keys set last_used_ip = '10.0.0.1' where id = $1`, [key.id])
  await acme.admin.patch(`/api/users/${creator.userId}`, { status: 'deactivated' })

  const erasure = await meanwhile(
    manager,
    (tx) => disconnectApp(tx, billing.id, {}, app),
    () => acme.admin.delete(`/api/users/${creator.userId}`),
  )

  assert.equal(erasure.status, 204)
  const { rows } = await acme.sql('select last_used_ip from identity.api_keys where id = $1', [key.id])
  assert.deepEqual(rows, [{ last_used_ip: null }])
})

test('a key that is made while its creator is shut out does not come back with them', async () => {
  const acme = await app.tenant()
  const creator = await acme.person('member')
  const actor = asActor(acme, creator)
  const become = (status: string) => acme.admin.patch(`/api/users/${creator.userId}`, { status })

  const shutOut = await meanwhile(
    actor,
    (tx) => createApiKey(tx, actor, { name: 'Just made', scopes: ['crm.read'] }, app),
    () => become('deactivated'),
  )
  const late = inTenant(app.db, actor, (tx) => createApiKey(tx, actor, { name: 'Late', scopes: ['crm.read'] }, app))

  assert.equal(shutOut.status, 200)
  await assert.rejects(late, { code: 'account_disabled' })
  assert.equal((await become('active')).status, 200)
  assert.deepEqual(await liveKeys(acme), [])
})
