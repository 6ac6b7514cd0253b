import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, visitorIn } from '#platform/access'
import { record } from '#platform/audit'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { at, claimsOn, created, requestOf, userIn } from './claims.fixture.ts'
import { type Claim, claim, hashRequest, release, storeAnswer } from './index.ts'

const { db } = await startTestDb()
const { claimed, kindOf, answer } = claimsOn(db)

const captureLead = (tx: TenantTx) => record(tx, 'lead.created', { id: newId() })
const countLeads = async (actor: Actor) =>
  (await inTenant(db, actor, (tx) => tx.selectFrom('platform.audit_log').select('id').execute())).length

test('of fifty equal requests at once exactly one runs', async () => {
  const actor = userIn()

  const results = await Promise.all(Array.from({ length: 50 }, () => claim(db, actor, requestOf())))

  const kinds = Map.groupBy(results, ({ kind }) => kind)
  assert.equal(kinds.get('claimed')?.length, 1)
  assert.deepEqual(
    kinds.get('in_flight'),
    Array.from({ length: 49 }, () => ({ kind: 'in_flight', retryAfterSeconds: 1 })),
  )
})

test('a repeat gets the stored answer, to the letter', async () => {
  const actor = userIn()
  const held = await claimed(actor)
  const body = '{"b":1, "a":"ü\\u0000😀"}'
  await inTenant(db, actor, (tx) => storeAnswer(tx, held, { ...created, body }))

  const repeat = await claim(db, actor, requestOf())

  assert.deepEqual(repeat, { kind: 'replay', status: 201, headers: { location: '/api/leads/1' }, body })
})

test('an answer without headers or body is repeated too', async () => {
  const actor = userIn()
  const held = await claimed(actor)
  await inTenant(db, actor, (tx) => storeAnswer(tx, held, { status: 204, headers: {}, body: '' }))

  assert.deepEqual(await claim(db, actor, requestOf()), { kind: 'replay', status: 204, headers: {}, body: '' })
})

test('another request with the same key is noticed: while the first runs, after its answer, and after its death', async () => {
  const [running, answered, dead] = [userIn(), userIn(), userIn()]
  await claimed(running)
  await answer(answered, await claimed(answered))
  await claimed(dead, { ...requestOf(), now: at(0) })
  const other = requestOf({ email: 'bob@example.com' })

  assert.equal(await kindOf(running, other), 'other_request')
  assert.equal(await kindOf(answered, other), 'other_request')
  assert.equal(await kindOf(dead, { ...other, now: at(61) }), 'other_request')
})

test('the same request is the same however its JSON is written, and any difference makes it another', () => {
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

test('a request whose process died is taken over when its lease is over, and not before', async () => {
  const actor = userIn()
  await claimed(actor, { ...requestOf(), now: at(0) })

  assert.deepEqual(await claim(db, actor, { ...requestOf(), now: at(59) }), { kind: 'in_flight', retryAfterSeconds: 1 })
  assert.equal(await kindOf(actor, { ...requestOf(), now: at(60) }), 'claimed')
  assert.equal(await kindOf(actor, { ...requestOf(), now: at(61) }), 'in_flight')
})

test('of fifty repeats of a dead request exactly one takes it over', async () => {
  const actor = userIn()
  await claimed(actor, { ...requestOf(), now: at(0) })

  const kinds = await Promise.all(Array.from({ length: 50 }, () => kindOf(actor, { ...requestOf(), now: at(61) })))

  assert.equal(kinds.filter((kind) => kind === 'claimed').length, 1)
})

test('whoever was taken over cannot finish: its change is undone, the other one stays', async () => {
  const actor = userIn()
  const slow = await claimed(actor, { ...requestOf(), now: at(0) })
  const quick = await claimed(actor, { ...requestOf(), now: at(61) })
  const change = (held: Claim) =>
    inTenant(db, actor, async (tx) => {
      await captureLead(tx)
      await storeAnswer(tx, held, created)
    })

  await assert.rejects(change(slow), { status: 409, code: 'idempotency_claim_lost' })
  await change(quick)
  await assert.rejects(change(slow), { code: 'idempotency_claim_lost' })

  assert.equal(await countLeads(actor), 1)
  assert.equal(await kindOf(actor, { ...requestOf(), now: at(62) }), 'replay')
})

test('an answer is stored once', async () => {
  const actor = userIn()
  const held = await claimed(actor)
  await answer(actor, held)

  await assert.rejects(answer(actor, held), { code: 'idempotency_claim_lost' })
})

test('a change that fails takes its answer with it', async () => {
  const actor = userIn()
  const held = await claimed(actor)
  const failing = inTenant(db, actor, async (tx) => {
    await storeAnswer(tx, held, created)
    throw new Error('disk full')
  })

  await assert.rejects(failing, /disk full/)
  assert.equal(await kindOf(actor), 'in_flight')
})

test('a repeat that comes while the answer is being committed waits for it', async () => {
  const actor = userIn()
  const held = await claimed(actor)
  const isStored = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const change = inTenant(db, actor, async (tx) => {
    await storeAnswer(tx, held, created)
    isStored.resolve()
    await commit.promise
  })
  await isStored.promise

  const repeat = claim(db, actor, requestOf())
  await sleep(100)
  commit.resolve()

  assert.equal((await repeat).kind, 'replay')
  await change
})

test('a repeat does not wait for ever for an answer that is being committed', async () => {
  const actor = userIn()
  const held = await claimed(actor)
  const hasGivenUp = Promise.withResolvers<void>()

  const change = inTenant(db, actor, async (tx) => {
    await storeAnswer(tx, held, created)
    await hasGivenUp.promise
  })
  await sleep(50)
  const repeat = await claim(db, actor, requestOf())
  hasGivenUp.resolve()
  await change

  assert.deepEqual(repeat, { kind: 'in_flight', retryAfterSeconds: 1 })
  assert.equal(await kindOf(actor), 'replay')
})

test('after a request that failed the key is free for another try, also with another body', async () => {
  const actor = userIn()
  await release(db, await claimed(actor))

  assert.equal(await kindOf(actor, requestOf({ email: 'bob@example.com' })), 'claimed')
})

test('releasing gives up only what one holds: no answer, and no claim of a successor', async () => {
  const [answered, overtaken] = [userIn(), userIn()]
  const held = await claimed(answered)
  await answer(answered, held)
  const slow = await claimed(overtaken, { ...requestOf(), now: at(0) })
  await claimed(overtaken, { ...requestOf(), now: at(61) })

  await release(db, held)
  await release(db, slow)

  assert.equal(await kindOf(answered), 'replay')
  assert.equal(await kindOf(overtaken, { ...requestOf(), now: at(62) }), 'in_flight')
})

test('the same key of another tenant, caller, session or route is another key', async () => {
  const user = userIn()
  const admin: Actor = { ...user, type: 'impersonation', actorUserId: newId(), sessionId: newId() }
  const callers: Actor[] = [
    user,
    { ...user, tenantId: newId() },
    userIn(user.tenantId),
    { ...user, type: 'api_key', apiKeyId: newId(), sessionId: null },
    admin,
    { ...admin, sessionId: newId() },
  ]

  for (const caller of callers) assert.equal(await kindOf(caller), 'claimed')
  assert.equal(await kindOf(user, { ...requestOf(), route: 'POST /api/contacts/' }), 'claimed')
  assert.equal(await kindOf({ ...user, sessionId: newId() }), 'in_flight')
})

test('who has no account has no keys', async () => {
  const visitor = visitorIn(newId(), { requestId: 'r', ip: '192.0.2.1', userAgent: null })

  await assert.rejects(claim(db, visitor, requestOf()), /An actor of type public has no idempotency keys/)
})

test('after a day a key is as good as new, and not before', async () => {
  const actor = userIn()
  const day = 86_400
  await answer(actor, await claimed(actor, { ...requestOf(), now: at(0) }))
  const other = requestOf({ email: 'bob@example.com' })

  assert.equal(await kindOf(actor, { ...requestOf(), now: at(day - 1) }), 'replay')
  assert.equal(await kindOf(actor, { ...other, now: at(day - 1) }), 'other_request')
  const held = await claimed(actor, { ...other, now: at(day) })
  await answer(actor, held)
  assert.equal(await kindOf(actor, { ...other, now: at(day + 1) }), 'replay')
})
