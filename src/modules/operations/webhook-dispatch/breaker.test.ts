import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { waitForValue, waitUntil } from '#testing'
import { startReceiver } from '../../../platform/egress/receivers.stand-in.ts'
import { startWebhookApp } from '../webhook-deliveries/webhook-app.fixture.ts'
import { leaseEndpoint } from './dispatch.queries.ts'

const emails: { to: string; subject: string }[] = []
const app = await startWebhookApp({}, { onMail: (to, { subject = '' }) => void emails.push({ to, subject }) })
const { tenant, createEndpoint, ship, waitForDeliveries, readEndpoint, dispatchNow, inWorkspace, clock, owner } = app

const countPending = async ({ id }: { id: string }) => {
  const { rows } = await owner.query(
    `select count(*)::integer from operations.webhook_deliveries where endpoint_id = $1 and state = 'pending'`,
    [id],
  )
  return rows[0].count
}

test('identity-11-8 ten failures open the breaker, one probe stands for all, and a success delivers the rest at the rate', async () => {
  const acme = await tenant()
  let isBroken = true
  const times: number[] = []
  const receiver = await startReceiver((_, response) => {
    times.push(performance.now())
    response.writeHead(isBroken ? 500 : 200).end()
  })
  const endpoint = await createEndpoint(acme, receiver)
  const probe = async (seconds: number) => {
    clock.advance(seconds)
    await dispatchNow(acme, endpoint)
  }

  await ship(acme, 12)
  const opened = await waitForValue(
    () => readEndpoint(endpoint),
    ({ breaker }) => breaker === 'open',
  )
  await ship(acme, 1_000)
  await waitUntil(async () => (await countPending(endpoint)) === 1_012)
  await dispatchNow(acme, endpoint)
  await probe(61)
  const probed = await waitForValue(
    () => readEndpoint(endpoint),
    ({ probes }) => probes === 1,
  )
  assert.equal(opened.consecutive_failures, 10)
  assert.equal(times.length, 11)
  const minutes = (probed.next_probe_at.getTime() - clock.now().getTime()) / 60_000
  assert.ok(minutes > 1.9 && minutes <= 2)

  isBroken = false
  times.length = 0
  await probe(121)
  await waitUntil(async () => (await countPending(endpoint)) === 0)

  assert.equal(times.length, 1_012)
  const seconds = (times.at(-1)! - times[0]!) / 1_000
  assert.ok(seconds > (1_012 / 200) * 0.95, `${seconds} seconds for 1,012 requests at 200 per second`)
  assert.partialDeepStrictEqual(await readEndpoint(endpoint), { breaker: 'closed', next_probe_at: null, probes: 0 })
})

test('admins get an email after 24 hours of failures, and another when the endpoint is disabled after five days', async () => {
  const acme = await tenant()
  const receiver = await startReceiver((_, response) => response.writeHead(500).end())
  const endpoint = await createEndpoint(acme, receiver)
  const failOnce = async (seconds: number) => {
    const before = receiver.received.length
    clock.advance(seconds)
    await dispatchNow(acme, endpoint)
    await waitUntil(() => receiver.received.length > before)
    await waitForValue(
      () => readEndpoint(endpoint),
      ({ lease_id }) => lease_id === null,
    )
  }
  const subjects = () => emails.filter(({ to }) => to === acme.admin.email).map(({ subject }) => subject)
  await ship(acme, 10)
  await waitForDeliveries(endpoint, (all) => all.length === 10 && all.every(({ attempts }) => attempts === 1))
  await ship(acme, 5)
  await waitForDeliveries(endpoint, (all) => all.length === 15)

  await failOnce(23 * 3_600)
  assert.equal((await readEndpoint(endpoint)).warned_at, null)
  await failOnce(2 * 3_600)
  await waitUntil(() => subjects().length === 1)
  await failOnce(2 * 3_600)
  await failOnce(5 * 86_400)
  await waitUntil(() => subjects().length === 2)

  assert.deepEqual(subjects(), ['A webhook endpoint has failed for 24 hours', 'A webhook endpoint was disabled'])
  assert.equal(
    emails.some(({ to }) => to === acme.manager.email),
    false,
  )
  assert.partialDeepStrictEqual(await readEndpoint(endpoint), { status: 'disabled', disabled_reason: 'failing' })
  assert.equal(await countPending(endpoint), 0)
  assert.ok((await acme.events()).includes('webhook_endpoint.disabled'))
})

test('a large backlog of a disabled endpoint is skipped in a job', async () => {
  const acme = await tenant()
  const receiver = await startReceiver()
  const endpoint = await createEndpoint(acme, receiver, { event_types: ['team.created'] })
  await owner.query(
    `insert into operations.webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, event, state, next_attempt_at)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 'team.created', '{}', 'pending', now() + interval '1 day'
     from generate_series(1, 2500)`,
    [acme.id, endpoint.id],
  )
  // Random ids are not of this month, so those that are greater than every current id stay pending.
  await owner.query(`delete from operations.webhook_deliveries where endpoint_id = $1 and id > $2`, [
    endpoint.id,
    endpoint.id,
  ])
  const { body } = await (await acme.signIn(acme.manager.userId)).delete(`/api/webhooks/${endpoint.id}`)
  await waitUntil(async () => (await countPending(endpoint)) === 0)

  assert.equal(body, undefined)
  assert.equal(receiver.received.length, 0)
})

test('an endpoint is leased to one dispatcher, until its lease ends', async () => {
  const acme = await tenant()
  const { id: endpointId } = await createEndpoint(acme, { port: 9 })
  const [start, one, other] = [clock.now(), newId(), newId()]
  const isLeasedTo = async (id: string, seconds: number) => {
    const lease = { id, now: secondsLater(start, seconds), until: secondsLater(start, seconds + 30) }
    return (await inWorkspace(acme, (tx) => leaseEndpoint(tx, endpointId, lease))) !== undefined
  }

  assert.deepEqual([await isLeasedTo(one, 0), await isLeasedTo(other, 1)], [true, false])
  assert.deepEqual([await isLeasedTo(one, 10), await isLeasedTo(other, 39)], [true, false])
  assert.deepEqual([await isLeasedTo(other, 40), await isLeasedTo(one, 41)], [true, false])
})
