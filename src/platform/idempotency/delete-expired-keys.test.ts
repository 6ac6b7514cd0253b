import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#platform/access'
import { enterTenant, inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { atSecond, createClaimHelpers, createdResponse, createRequest, createUserActor } from './idempotency.fixture.ts'
import { claimIdempotencyKey, deleteExpiredIdempotencyKeys, redactStoredResponses, storeResponse } from './index.ts'

const { db, systemDb, owner } = await startTestDb()
const { mustClaim, claimKind, respond } = createClaimHelpers(db)

test('expired keys are deleted in all tenants, but not keys that are recent or have an active lease', async () => {
  const actors = [createUserActor(), createUserActor(), createUserActor()]
  const [old, recent, running] = actors as [Actor, Actor, Actor]
  await respond(old, await mustClaim(old, { ...createRequest(), now: atSecond(0) }))
  await respond(recent, await mustClaim(recent, { ...createRequest(), now: atSecond(3_600) }))
  await mustClaim(running, { ...createRequest(), now: atSecond(0) })
  await owner.query('update platform.idempotency_keys set lease_until = $2 where tenant_id = $1', [
    running.tenantId,
    atSecond(86_460),
  ])

  await deleteExpiredIdempotencyKeys({ systemDb, now: atSecond(86_400) })

  const { rows } = await owner.query('select tenant_id from platform.idempotency_keys where tenant_id = any($1)', [
    actors.map(({ tenantId }) => tenantId),
  ])
  assert.deepEqual(new Set(rows.map(({ tenant_id }) => tenant_id)), new Set([recent.tenantId, running.tenantId]))
})

test('thousands of expired keys are deleted in batches', async () => {
  const { tenantId } = createUserActor()
  await owner.query(
    `insert into platform.idempotency_keys (tenant_id, caller_id, route, key, claim_id, request_hash, created_at, lease_until)
     select $1, gen_random_uuid(), 'POST /x', 'k', gen_random_uuid(), sha256('x'), '2020-01-01', '2020-01-01'
     from generate_series(1, 2500)`,
    [tenantId],
  )

  const [one, other] = await Promise.all([
    deleteExpiredIdempotencyKeys({ systemDb }),
    deleteExpiredIdempotencyKeys({ systemDb }),
  ])

  assert.ok(one + other >= 2_500)
  const { rows } = await owner.query('select from platform.idempotency_keys where tenant_id = $1', [tenantId])
  assert.equal(rows.length, 0)
})

test('a system transaction in one tenant can neither read nor delete keys of another', async () => {
  const [one, other] = [createUserActor(), createUserActor()]
  await mustClaim(one)

  const [seen, deleted] = await inSystem(systemDb, async (tx) => {
    const inOther = await enterTenant(tx, other)
    return [
      await inOther.selectFrom('platform.idempotency_keys').select('key').execute(),
      await inOther.deleteFrom('platform.idempotency_keys').executeTakeFirst(),
    ]
  })

  assert.deepEqual([seen, deleted?.numDeletedRows], [[], 0n])
  assert.equal(await claimKind(one), 'in_flight')
})

test('a stored response about an erased person is redacted, and retries still replay it', async () => {
  const actor = createUserActor()
  const [about, unrelated] = [createRequest(), { ...createRequest(), key: 'k-2' }]
  for (const [request, email] of [
    [about, 'Ada@Example.com'],
    [unrelated, 'bob@example.com'],
  ] as const) {
    const claim = await mustClaim(actor, request)
    await inTenant(db, actor, (tx) => storeResponse(tx, claim, { ...createdResponse, body: JSON.stringify({ email }) }))
  }

  const redacted = await inTenant(db, actor, (tx) => redactStoredResponses(tx, ['ada@example.com', newId()]))

  assert.equal(redacted, 1)
  assert.deepEqual(await claimIdempotencyKey(db, actor, about), {
    kind: 'replay',
    status: 201,
    headers: createdResponse.headers,
    body: '{}',
  })
  assert.deepEqual(await claimIdempotencyKey(db, actor, unrelated), {
    kind: 'replay',
    status: 201,
    headers: createdResponse.headers,
    body: '{"email":"bob@example.com"}',
  })
})
