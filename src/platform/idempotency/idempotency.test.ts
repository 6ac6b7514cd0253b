import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, publicActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { atSecond, createClaimHelpers, createdResponse, createRequest, createUserActor } from './idempotency.fixture.ts'
import { claimIdempotencyKey, hashRequest, type IdempotencyClaim, releaseClaim, storeResponse } from './index.ts'

const { db } = await startTestDb()
const { mustClaim, claimKind, respond } = createClaimHelpers(db)

const insertEntry = (tx: TenantTx) => recordAudit(tx, 'lead.created', { id: newId() })
const countEntries = async (actor: Actor) =>
  (await inTenant(db, actor, (tx) => tx.selectFrom('platform.audit_log').select('id').execute())).length

test('exactly one of fifty concurrent identical requests runs', async () => {
  const actor = createUserActor()

  const results = await Promise.all(Array.from({ length: 50 }, () => claimIdempotencyKey(db, actor, createRequest())))

  const kinds = Map.groupBy(results, ({ kind }) => kind)
  assert.equal(kinds.get('claimed')?.length, 1)
  assert.equal(kinds.get('in_flight')?.length, 49)
})

test('a retry gets the stored response byte for byte', async () => {
  const actor = createUserActor()
  const claim = await mustClaim(actor)
  const body = '{"b":1, "a":"ü\\u0000😀"}'
  await inTenant(db, actor, (tx) => storeResponse(tx, claim, { ...createdResponse, body }))

  const retry = await claimIdempotencyKey(db, actor, createRequest())

  assert.deepEqual(retry, { kind: 'replay', status: 201, headers: { location: '/api/leads/1' }, body })
})

test('a response without headers or body is replayed too', async () => {
  const actor = createUserActor()
  const claim = await mustClaim(actor)
  await inTenant(db, actor, (tx) => storeResponse(tx, claim, { status: 204, headers: {}, body: '' }))

  assert.deepEqual(await claimIdempotencyKey(db, actor, createRequest()), {
    kind: 'replay',
    status: 204,
    headers: {},
    body: '',
  })
})

test('a different request with the same key is detected while the first runs, after its response and after its lease', async () => {
  const [running, answered, dead] = [createUserActor(), createUserActor(), createUserActor()]
  await mustClaim(running)
  await respond(answered, await mustClaim(answered))
  await mustClaim(dead, { ...createRequest(), now: atSecond(0) })
  const other = createRequest({ email: 'bob@example.com' })

  assert.equal(await claimKind(running, other), 'other_request')
  assert.equal(await claimKind(answered, other), 'other_request')
  assert.equal(await claimKind(dead, { ...other, now: atSecond(61) }), 'other_request')
})

test('the request hash ignores the order of JSON members and nothing else', () => {
  const hash = hashRequest({ path: { id: '1' }, query: { a: 1, b: 2 }, body: { x: { y: [1, 2], z: null } } })

  assert.deepEqual(hashRequest({ body: { x: { z: null, y: [1, 2] } }, query: { b: 2, a: 1 }, path: { id: '1' } }), hash)
  const others = [
    { path: { id: '2' }, query: { a: 1, b: 2 }, body: { x: { y: [1, 2], z: null } } },
    { path: { id: '1' }, query: { a: 1 }, body: { x: { y: [1, 2], z: null } } },
    { path: { id: '1' }, query: { a: 1, b: 2 }, body: { x: { y: [2, 1], z: null } } },
    { path: { id: '1' }, query: { a: 1, b: 2 }, body: undefined },
  ]
  for (const other of others) assert.notDeepEqual(hashRequest(other), hash)
})

test('the claim of a dead process can be taken over when its lease expires, and callers are told when that is', async () => {
  const actor = createUserActor()
  await mustClaim(actor, { ...createRequest(), now: atSecond(0) })
  const remainingAt = async (second: number) => {
    const result = await claimIdempotencyKey(db, actor, { ...createRequest(), now: atSecond(second) })
    return result.kind === 'in_flight' && result.retryAfterSeconds
  }

  assert.deepEqual(await Promise.all([0, 5, 5.5, 59, 59.9].map(remainingAt)), [60, 55, 55, 1, 1])
  assert.equal(await claimKind(actor, { ...createRequest(), now: atSecond(60) }), 'claimed')
  assert.equal(await claimKind(actor, { ...createRequest(), now: atSecond(61) }), 'in_flight')
})

test('exactly one of fifty concurrent retries takes over an expired claim', async () => {
  const actor = createUserActor()
  await mustClaim(actor, { ...createRequest(), now: atSecond(0) })

  const kinds = await Promise.all(
    Array.from({ length: 50 }, () => claimKind(actor, { ...createRequest(), now: atSecond(61) })),
  )

  assert.equal(kinds.filter((kind) => kind === 'claimed').length, 1)
})

test('a request whose claim was taken over is rolled back, and the change of the retry is kept', async () => {
  const actor = createUserActor()
  const slow = await mustClaim(actor, { ...createRequest(), now: atSecond(0) })
  const quick = await mustClaim(actor, { ...createRequest(), now: atSecond(61) })
  const change = (claim: IdempotencyClaim) =>
    inTenant(db, actor, async (tx) => {
      await insertEntry(tx)
      await storeResponse(tx, claim, createdResponse)
    })

  await assert.rejects(change(slow), { status: 409, code: 'idempotency_claim_lost' })
  await change(quick)
  await assert.rejects(change(slow), { code: 'idempotency_claim_lost' })

  assert.equal(await countEntries(actor), 1)
  assert.equal(await claimKind(actor, { ...createRequest(), now: atSecond(62) }), 'replay')
})

test('a response can be stored only once', async () => {
  const actor = createUserActor()
  const claim = await mustClaim(actor)
  await respond(actor, claim)

  await assert.rejects(respond(actor, claim), { code: 'idempotency_claim_lost' })
})

test('a rolled-back change stores no response', async () => {
  const actor = createUserActor()
  const claim = await mustClaim(actor)
  const failing = inTenant(db, actor, async (tx) => {
    await storeResponse(tx, claim, createdResponse)
    throw new Error('disk full')
  })

  await assert.rejects(failing, /disk full/)
  assert.equal(await claimKind(actor), 'in_flight')
})

test('a retry waits for a response that is being committed', async () => {
  const actor = createUserActor()
  const claim = await mustClaim(actor)
  const isStored = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const change = inTenant(db, actor, async (tx) => {
    await storeResponse(tx, claim, createdResponse)
    isStored.resolve()
    await commit.promise
  })
  await isStored.promise

  const retry = claimIdempotencyKey(db, actor, createRequest())
  await sleep(100)
  commit.resolve()

  assert.equal((await retry).kind, 'replay')
  await change
})

test('a retry stops waiting for the commit after the lock timeout', async () => {
  const actor = createUserActor()
  const claim = await mustClaim(actor)
  const hasTimedOut = Promise.withResolvers<void>()

  const change = inTenant(db, actor, async (tx) => {
    await storeResponse(tx, claim, createdResponse)
    await hasTimedOut.promise
  })
  await sleep(50)
  const retry = await claimIdempotencyKey(db, actor, createRequest())
  hasTimedOut.resolve()
  await change

  assert.deepEqual(retry, { kind: 'in_flight', retryAfterSeconds: 1 })
  assert.equal(await claimKind(actor), 'replay')
})

test('after a failed request the key can be used again, also with another body', async () => {
  const actor = createUserActor()
  await releaseClaim(db, await mustClaim(actor))

  assert.equal(await claimKind(actor, createRequest({ email: 'bob@example.com' })), 'claimed')
})

test('a release removes neither a stored response nor the claim of a successor', async () => {
  const [answered, overtaken] = [createUserActor(), createUserActor()]
  const claim = await mustClaim(answered)
  await respond(answered, claim)
  const slow = await mustClaim(overtaken, { ...createRequest(), now: atSecond(0) })
  await mustClaim(overtaken, { ...createRequest(), now: atSecond(61) })

  await releaseClaim(db, claim)
  await releaseClaim(db, slow)

  assert.equal(await claimKind(answered), 'replay')
  assert.equal(await claimKind(overtaken, { ...createRequest(), now: atSecond(62) }), 'in_flight')
})

test('keys are separate per tenant, caller, impersonation session and route', async () => {
  const user = createUserActor()
  const admin: Actor = { ...user, type: 'impersonation', actorUserId: newId(), sessionId: newId() }
  const callers: Actor[] = [
    user,
    { ...user, tenantId: newId() },
    createUserActor(user.tenantId),
    { ...user, type: 'api_key', apiKeyId: newId(), sessionId: null },
    admin,
    { ...admin, sessionId: newId() },
  ]

  for (const caller of callers) assert.equal(await claimKind(caller), 'claimed')
  assert.equal(await claimKind(user, { ...createRequest(), route: 'POST /api/contacts/' }), 'claimed')
  assert.equal(await claimKind({ ...user, sessionId: newId() }), 'in_flight')
})

test('anonymous callers cannot use idempotency keys', async () => {
  const visitor = publicActor(newId(), { requestId: 'r', ip: '192.0.2.1', userAgent: null })

  await assert.rejects(
    claimIdempotencyKey(db, visitor, createRequest()),
    /Actors of type public cannot use idempotency keys/,
  )
})

test('a key can be reused after a day, and not before', async () => {
  const actor = createUserActor()
  const day = 86_400
  await respond(actor, await mustClaim(actor, { ...createRequest(), now: atSecond(0) }))
  const other = createRequest({ email: 'bob@example.com' })

  assert.equal(await claimKind(actor, { ...createRequest(), now: atSecond(day - 1) }), 'replay')
  assert.equal(await claimKind(actor, { ...other, now: atSecond(day - 1) }), 'other_request')
  const claim = await mustClaim(actor, { ...other, now: atSecond(day) })
  await respond(actor, claim)
  assert.equal(await claimKind(actor, { ...other, now: atSecond(day + 1) }), 'replay')
})
