import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '#platform/access'
import { enterTenant, inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { at, claimsOn, created, requestOf, userIn } from './claims.fixture.ts'
import { blankAnswers, claim, forgetOldKeys, keepAlive, renewWhileAlive, storeAnswer } from './index.ts'

const { db, systemDb, owner } = await startTestDb()
const { claimed, kindOf, answer } = claimsOn(db)

test('a live request keeps its claim, in whichever tenant; one that was taken over does not get it back', async () => {
  const [one, other, lost] = [userIn(), userIn(), userIn()]
  const claims = await Promise.all([one, other, lost].map((actor) => claimed(actor, { ...requestOf(), now: at(0) })))
  await claimed(lost, { ...requestOf(), now: at(61) })

  await keepAlive(db, claims, { now: at(65) })

  assert.equal(await kindOf(one, { ...requestOf(), now: at(124) }), 'in_flight')
  assert.equal(await kindOf(other, { ...requestOf(), now: at(124) }), 'in_flight')
  assert.equal(await kindOf(one, { ...requestOf(), now: at(125) }), 'claimed')
  assert.equal(await kindOf(lost, { ...requestOf(), now: at(121) }), 'claimed')
})

test('renewing does not wait for a request that is just being answered', async () => {
  const [busy, waiting] = [userIn(), userIn()]
  const claims = [
    await claimed(busy, { ...requestOf(), now: at(0) }),
    await claimed(waiting, { ...requestOf(), now: at(0) }),
  ]
  const started = performance.now()

  await inTenant(db, busy, async (tx) => {
    await storeAnswer(tx, claims[0]!, created)
    await keepAlive(db, claims, { now: at(30) })
  })

  assert.ok(performance.now() - started < 1_500)
  assert.equal(await kindOf(waiting, { ...requestOf(), now: at(80) }), 'in_flight')
})

test('while a request lives its claim is renewed every twenty seconds, and no longer', async () => {
  const actor = userIn()
  const held = await claimed(actor)
  const leaseOf = async () => {
    const { rows } = await owner.query('select lease_until from platform.idempotency_keys where claim_id = $1', [
      held.id,
    ])
    return rows[0].lease_until.getTime()
  }
  const expire = () =>
    owner.query(`update platform.idempotency_keys set lease_until = now() - interval '1 hour' where claim_id = $1`, [
      held.id,
    ])
  mock.timers.enable({ apis: ['setInterval'] })

  const stop = renewWhileAlive(db, held)
  await expire()
  mock.timers.tick(20_000)
  while ((await leaseOf()) < Date.now()) await sleep(5)
  await expire()
  stop()
  mock.timers.tick(60_000)
  await sleep(100)
  mock.timers.reset()

  assert.ok((await leaseOf()) < Date.now())
  assert.equal(await kindOf(actor), 'claimed')
})

test('keys that had their day are forgotten in all tenants, others and those still held are not', async () => {
  const actors = [userIn(), userIn(), userIn()]
  const [old, recent, running] = actors as [Actor, Actor, Actor]
  await answer(old, await claimed(old, { ...requestOf(), now: at(0) }))
  await answer(recent, await claimed(recent, { ...requestOf(), now: at(3_600) }))
  await keepAlive(db, [await claimed(running, { ...requestOf(), now: at(0) })], { now: at(86_400) })

  await forgetOldKeys({ systemDb, now: at(86_400) })

  const { rows } = await owner.query('select tenant_id from platform.idempotency_keys where tenant_id = any($1)', [
    actors.map(({ tenantId }) => tenantId),
  ])
  assert.deepEqual(new Set(rows.map(({ tenant_id }) => tenant_id)), new Set([recent.tenantId, running.tenantId]))
})

test('thousands of old keys are forgotten in small steps', async () => {
  const { tenantId } = userIn()
  await owner.query(
    `insert into platform.idempotency_keys (tenant_id, caller_id, route, key, claim_id, request_hash, created_at, lease_until)
     select $1, gen_random_uuid(), 'POST /x', 'k', gen_random_uuid(), sha256('x'), '2020-01-01', '2020-01-01'
     from generate_series(1, 2500)`,
    [tenantId],
  )

  const [one, other] = await Promise.all([forgetOldKeys({ systemDb }), forgetOldKeys({ systemDb })])

  assert.ok(one + other >= 2_500)
  const { rows } = await owner.query('select from platform.idempotency_keys where tenant_id = $1', [tenantId])
  assert.equal(rows.length, 0)
})

test('a job that has entered a tenant sees and forgets no key of another', async () => {
  const [one, other] = [userIn(), userIn()]
  await claimed(one)

  const [seen, forgotten] = await inSystem(systemDb, async (tx) => {
    const inOther = await enterTenant(tx, other)
    return [
      await inOther.selectFrom('platform.idempotency_keys').select('key').execute(),
      await inOther.deleteFrom('platform.idempotency_keys').executeTakeFirst(),
    ]
  })

  assert.deepEqual([seen, forgotten?.numDeletedRows], [[], 0n])
  assert.equal(await kindOf(one), 'in_flight')
})

test('an answer about an erased person is blanked, and still not given twice', async () => {
  const actor = userIn()
  const [about, unrelated] = [requestOf(), { ...requestOf(), key: 'k-2' }]
  for (const [request, email] of [
    [about, 'Ada@Example.com'],
    [unrelated, 'bob@example.com'],
  ] as const) {
    const held = await claimed(actor, request)
    await inTenant(db, actor, (tx) => storeAnswer(tx, held, { ...created, body: JSON.stringify({ email }) }))
  }

  const blanked = await inTenant(db, actor, (tx) => blankAnswers(tx, ['ada@example.com', newId()]))

  assert.equal(blanked, 1)
  assert.deepEqual(await claim(db, actor, about), { kind: 'replay', status: 201, headers: created.headers, body: '{}' })
  assert.deepEqual(await claim(db, actor, unrelated), {
    kind: 'replay',
    status: 201,
    headers: created.headers,
    body: '{"email":"bob@example.com"}',
  })
})
