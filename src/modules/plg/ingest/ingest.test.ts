import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { daysLater, secondsLater } from '#platform/clock'
import { dashboardUrl, eventsUrl, sendEvents, startUsageApp, usageEvent } from '../plg.fixture.ts'

const { app, acme, tenant, owner } = await startUsageApp()
const { manager, member, viewer } = acme
const inHours = (hours: number) => secondsLater(new Date(), hours * 3_600).toISOString()
const totalOf = async (user = manager) => (await user.get(dashboardUrl)).body.events.total

/** Compares roll-ups with the same numbers counted from the events, which are all of today or yesterday in UTC. */
async function assertRollUpsExact(tenantId: string): Promise<void> {
  const { rows } = await owner.query(
    `with days as (select *, (occurred_at at time zone 'UTC')::date as day from plg.events where tenant_id = $1),
      actors as (
        select person_actor_id as actor_id, name, day from days where person_actor_id is not null
        union all select account_actor_id, name, day from days where account_actor_id is not null)
     select
      (select count(*) from days) = (select coalesce(sum(events), 0) from plg.event_days where tenant_id = $1) as event_days,
      (select count(*) from actors) = (select coalesce(sum(events), 0) from plg.actor_event_days where tenant_id = $1) as actor_event_days,
      (select count(distinct (actor_id, day)) from actors) = (select count(*) from plg.actor_days where tenant_id = $1) as actor_days,
      (select count(distinct (actor_id, day)) from actors) = (select coalesce(sum(actors), 0) from plg.active_days where tenant_id = $1) as active_days,
      (select count(distinct actor_id) from actors) = (select count(*) from plg.first_days where tenant_id = $1) as first_days,
      (select count(distinct (actor_id, day)) from actors) =
        (select coalesce(sum(length(replace(days::bit(32)::text, '0', ''))), 0) from plg.actor_periods where tenant_id = $1) as periods,
      (select count(*) from days) = (select coalesce(sum(accepted), 0) from plg.usage_months where tenant_id = $1) as usage_months`,
    [tenantId],
  )
  assert.deepEqual(rows[0], Object.fromEntries(Object.keys(rows[0]).map((name) => [name, true])))
}

test('engagement-3-1 each event is accepted, a duplicate or rejected, and accepted ones count at once', async () => {
  const good = [usageEvent(), usageEvent({ user_ref: 'user-2' }), usageEvent({ account_ref: 'team-1' })]
  const events = [good[0], good[1], good[2], good[0], usageEvent({ occurred_at: inHours(24) })]
  const before = await totalOf()

  const first = await manager.post(eventsUrl, { events })
  const total = await totalOf()
  const second = await manager.post(eventsUrl, { events })

  assert.partialDeepStrictEqual(first.body, { accepted: 3, duplicates: 1, rejected: 1 })
  assert.deepEqual(
    first.body.errors.map(({ index, path, code }: Record<string, unknown>) => [index, path, code]),
    [[4, '/occurred_at', 'occurred_at_future']],
  )
  assert.equal(total, before + 3)
  assert.partialDeepStrictEqual(second.body, { accepted: 0, duplicates: 4, rejected: 1 })
  assert.equal(await totalOf(), total)
})

test('engagement-3-2 the same events of four clients in different orders are stored once', async () => {
  const other = await tenant()
  const events = Array.from({ length: 1_000 }, (_, n) =>
    usageEvent({
      name: `event ${n % 7}`,
      user_ref: `user-${n % 90}`,
      account_ref: n % 3 ? `team-${n % 12}` : undefined,
      occurred_at: secondsLater(new Date(), -n * 60).toISOString(),
    }),
  )
  const shuffled = [events, [...events].reverse(), [...events.slice(500), ...events.slice(0, 500)], events]

  const results = await Promise.all(shuffled.map((sent) => sendEvents(other.manager, ...sent)))

  assert.equal(
    results.reduce((total, { accepted }) => total + accepted, 0),
    1_000,
  )
  assert.ok(results.every(({ accepted, duplicates }) => accepted + duplicates === 1_000))
  await assertRollUpsExact(other.id)
})

test('engagement-3-3 a batch is limited, and with strict=true it is stored as a whole or not at all', async () => {
  const other = await tenant()
  const post = (events: object[], query = '') => other.manager.post(eventsUrl + query, { events })
  const bad = usageEvent({ user_ref: 'anonymous' })
  const properties = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`k${n}`, 'x'.repeat(1_000)]))
  const veryLarge = Array.from({ length: 1_000 }, () => usageEvent({ properties }))

  assert.equal((await post(Array.from({ length: 1_001 }, () => usageEvent()))).status, 422)
  assert.equal((await post(veryLarge)).status, 413)
  assert.equal((await post([])).status, 422)
  const allBad = await post([bad, bad])
  assert.equal(allBad.status, 422)
  assert.deepEqual(
    allBad.body.errors.map(({ path, code }: Record<string, unknown>) => [path, code]),
    [0, 1].map((index) => [`/events/${index}/user_ref`, 'placeholder_ref']),
  )
  assert.equal((await post([usageEvent(), bad], '?strict=true')).status, 422)
  assert.equal(await totalOf(other.manager), 0)
  assert.partialDeepStrictEqual((await post([usageEvent(), bad])).body, { accepted: 1, rejected: 1 })
})

test('engagement-3-4 a wrong clock is corrected, and times outside the accepted range are rejected', async () => {
  const other = await tenant()
  const send = (fields: object, sent_at?: string) =>
    other.manager.post(eventsUrl, { events: [usageEvent({ user_ref: 'clock', ...fields })], sent_at })
  const timeOf = async (name: string) => {
    const { rows } = await owner.query(
      'select occurred_at, received_at from plg.events where tenant_id = $1 and name = $2',
      [other.id, name],
    )
    return (rows[0].occurred_at - rows[0].received_at) / 3_600_000
  }

  await send({ name: 'slow', occurred_at: inHours(-3) }, inHours(-2))
  await send({ name: 'ahead', occurred_at: inHours(0.5) })
  await send({ name: 'in time', occurred_at: inHours(-1) }, inHours(-0.01))
  const old = await send({ occurred_at: daysLater(new Date(), -91).toISOString() })
  const wrongClock = await send({}, inHours(-25))

  assert.ok(Math.abs((await timeOf('slow')) + 1) < 0.01)
  assert.equal(await timeOf('ahead'), 0)
  assert.ok(Math.abs((await timeOf('in time')) + 1) < 0.01)
  assert.equal(old.body.errors[0].code, 'occurred_at_too_old')
  assert.deepEqual([wrongClock.status, wrongClock.body.errors[0].path], [422, '/sent_at'])
})

test('an invalid event is rejected with its first problem', async () => {
  const cases: [object, string, string][] = [
    [{ event_id: '' }, '/event_id', 'format'],
    [{ event_id: 'é' }, '/event_id', 'format'],
    [{ event_id: 7 }, '/event_id', 'format'],
    [{ name: 'a,b' }, '/name', 'format'],
    [{ name: undefined }, '/name', 'format'],
    [{ user_ref: undefined }, '/user_ref', 'required'],
    [{ user_ref: 'x'.repeat(201) }, '/user_ref', 'format'],
    [{ user_ref: '[object Object]' }, '/user_ref', 'placeholder_ref'],
    [{ account_ref: 'NULL' }, '/account_ref', 'placeholder_ref'],
    [{ occurred_at: '2026-02-30T10:00:00Z' }, '/occurred_at', 'format'],
    [{ occurred_at: 'now' }, '/occurred_at', 'format'],
    [{ color: 'red' }, '/color', 'unexpected'],
    [{ properties: [] }, '/properties', 'type'],
    [{ properties: { a: { b: 1 } } }, '/properties/a', 'type'],
    [{ properties: { a: 'x'.repeat(1_025) } }, '/properties/a', 'type'],
    [{ properties: { a: Array.from({ length: 21 }, () => 1) } }, '/properties/a', 'type'],
    [
      { properties: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 1])) },
      '/properties',
      'max_properties',
    ],
    [
      { properties: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`k${n}`, 'x'.repeat(1_000)])) },
      '/properties',
      'too_large',
    ],
    [{ properties: { ['k'.repeat(65)]: 1 } }, '/properties', 'key_length'],
    [{ user: { email: 'ada' } }, '/user/email', 'format'],
    [{ user: { phone: '1' } }, '/user/phone', 'unexpected'],
    [{ account: { name: 'Acme' } }, '/account', 'unexpected'],
    [{ account_ref: 'team', account: { domain: 'http://acme' } }, '/account/domain', 'format'],
  ]
  const valid = usageEvent({
    properties: { a: 'x', b: [1, true, null], c: 'é'.repeat(1_000), __proto: 1 },
    user: { email: 'Ada@Acme.example', name: 'Ada' },
  })

  const { body } = await manager.post(eventsUrl, {
    events: [valid, ...cases.map(([fields]) => usageEvent(fields as Record<string, unknown>))],
  })

  assert.equal(body.accepted, 1)
  assert.deepEqual(
    body.errors.map(({ index, path, code }: Record<string, unknown>) => [index, path, code]),
    cases.map(([, path, code], index) => [index + 1, path, code]),
  )
})

test('an unknown field of an event is answered with the field that was meant', async () => {
  const unknown = [{ userId: 'u' }, { user_id: 'u' }, { timestamp: 'x' }, { user: { mail: 'x' } }, { color: 'red' }]

  const { body } = await manager.post(eventsUrl, { events: unknown.map((fields) => usageEvent(fields)) })

  assert.deepEqual(
    body.errors.map(({ message }: Record<string, string>) => message),
    [
      '`userId` is not a known field. Did you mean `user_ref`?',
      '`user_id` is not a known field. Did you mean `user_ref`?',
      '`timestamp` is not a known field. Did you mean `occurred_at`?',
      '`mail` is not a known field. Did you mean `email`?',
      '`color` is not a known field.',
    ],
  )
})

test('a compressed batch is accepted', async () => {
  const response = await app.inject({
    method: 'POST',
    url: eventsUrl,
    headers: {
      host: acme.host,
      authorization: `Bearer ${manager.accessToken}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    payload: gzipSync(JSON.stringify({ events: [usageEvent()] })),
  })

  assert.equal(response.json().accepted, 1, response.body)
})

test('engagement-3-12 a workspace over its monthly limit gets 429, and the batch that crosses the limit is taken', async () => {
  const other = await tenant()
  await owner.query(`update identity.tenants set limits = '{"monthly_event_limit": 1000}' where id = $1`, [other.id])
  const events = (count: number) => Array.from({ length: count }, () => usageEvent())
  const known = events(999)
  await sendEvents(other.manager, ...known)

  const crossing = await other.manager.post(eventsUrl, { events: events(10) })
  const over = await other.manager.post(eventsUrl, { events: events(1) })
  const again = await other.manager.post(eventsUrl, { events: known })

  assert.deepEqual(crossing.body.quota, { used: 1_009, limit: 1_000 })
  assert.deepEqual([over.status, over.body.code, again.status], [429, 'quota_exceeded', 429])
  assert.ok(Number(over.headers['retry-after']) > 0)
  assert.deepEqual((await other.manager.get(dashboardUrl)).body.data.quota.used, 1_009)
})

test('engagement-3-13 events require the scope plg.write, which members do not have', async () => {
  const keyOf = async (fields: object) => {
    const { body } = await acme.admin.post('/api/api-keys', { name: 'Usage', ...fields })
    return acme.bearer(`Bearer ${body.key}`)
  }
  const readKey = await keyOf({ scopes: ['plg.read'] })
  const writeKey = await keyOf({ scopes: ['plg.write'] })
  const readOnlyKey = await keyOf({ scopes: ['plg.write'], preset: 'read_only' })
  const post = (user: Pick<typeof manager, 'post'>) => user.post(eventsUrl, { events: [usageEvent()] })

  assert.partialDeepStrictEqual((await post(readKey)).body, { status: 403, code: 'scope_required' })
  assert.equal((await post(readOnlyKey)).status, 403)
  assert.equal((await post(member)).status, 403)
  assert.equal((await post(writeKey)).status, 200)
  assert.equal((await viewer.get(dashboardUrl)).status, 200)
})

test('engagement-3-14 equal ids, refs and names of two workspaces are different events', async () => {
  const [one, two] = [await tenant(), await tenant()]
  const event = usageEvent({ user_ref: 'same' })

  assert.partialDeepStrictEqual(await sendEvents(one.manager, event, usageEvent({ user_ref: 'same' })), { accepted: 2 })
  assert.partialDeepStrictEqual(await sendEvents(two.manager, event), { accepted: 1 })
  assert.deepEqual([await totalOf(one.manager), await totalOf(two.manager)], [2, 1])
})

test('a workspace can use 2,000 event names', async () => {
  const other = await tenant()
  const named = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => usageEvent({ name: `n${from + n}` }))
  await sendEvents(other.manager, ...named(0, 1_000))
  await sendEvents(other.manager, ...named(1_000, 999))

  const { body } = await other.manager.post(eventsUrl, { events: [...named(1_998, 4), usageEvent({ name: 'n1' })] })

  assert.partialDeepStrictEqual(body, { accepted: 3, rejected: 2 })
  assert.deepEqual(
    body.errors.map(({ index, code }: Record<string, unknown>) => [index, code]),
    [2, 3].map((index) => [index, 'too_many_names']),
  )
})
