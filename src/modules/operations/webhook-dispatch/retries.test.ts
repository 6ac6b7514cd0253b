import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inSystem } from '#platform/db'
import { enqueueMany } from '#platform/jobs'
import { waitUntil } from '#testing'
import { startReceiver } from '../../../platform/egress/receivers.stand-in.ts'
import { deliverEvents } from '../../../platform/outbox/deliver.ts'
import { startWebhookApp } from '../webhook-deliveries/webhook-app.fixture.ts'

const app = await startWebhookApp(
  {},
  {
    // Shortens the time limit of requests, so that a server that does not respond costs little time.
    prepare: (services) => {
      const { egress } = services
      Object.assign(services, {
        egress: {
          ...egress,
          safeFetch: (url: string, options: { timeoutMs: number; connectTimeoutMs: number; maxBytes: number }) => {
            assert.deepEqual([options.timeoutMs, options.connectTimeoutMs, options.maxBytes], [15_000, 5_000, 16_384])
            return egress.safeFetch(url, { ...options, timeoutMs: options.timeoutMs / 30 })
          },
        },
      })
    },
  },
)
const { tenant, createEndpoint, ship, waitForDeliveries, readDeliveries, readEndpoint, owner, systemDb } = app

test('identity-11-2 a relay that is killed before it marks the events causes no second delivery', async () => {
  const acme = await tenant()
  const receiver = await startReceiver()
  const endpoint = await createEndpoint(acme, receiver)
  await app.worker.stop()
  await owner.query(`create function public.hang() returns trigger language plpgsql as
    $$ begin if current_setting('application_name') = 'killed_relay' then perform pg_sleep(600); end if; return new; end $$;
    create trigger hang before update on platform.outbox_events for each row execute function public.hang()`)
  await ship(acme, 3)

  const program = new URL('../../../platform/outbox/killed-relay.stand-in.ts', import.meta.url)
  const relay = fork(fileURLToPath(program), [app.database.systemUrl])
  await waitUntil(async () => {
    const { rows } = await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'killed_relay' and wait_event = 'PgSleep'`,
    )
    if (rows.length) relay.kill('SIGKILL')
    return rows.length > 0
  })
  await once(relay, 'exit')
  await owner.query('drop trigger hang on platform.outbox_events')
  await app.startTestWorker()
  const deliveries = await waitForDeliveries(
    endpoint,
    (all) => all.length === 3 && all.every(({ state }) => state === 'succeeded'),
  )

  // A receipt that was deleted too early must not cause a second delivery either.
  await owner.query('delete from platform.event_receipts where tenant_id = $1', [acme.id])
  const event_ids = deliveries.map(({ event_id }) => event_id)
  const again = { tenantId: acme.id, payload: { event_ids, consumer: 'operations.webhooks' }, origin: 'api' as const }
  await inSystem(systemDb, (tx) => enqueueMany(tx, deliverEvents, [again]))
  const receipts = 'select from platform.event_receipts where tenant_id = $1'
  await waitUntil(async () => (await owner.query(receipts, [acme.id])).rowCount === 3)

  assert.equal((await readDeliveries(endpoint)).length, 3)
  assert.deepEqual(receiver.received.map(({ headers }) => headers['webhook-id']).sort(), [...event_ids].sort())
})

test('identity-11-11 a server that does not respond times out, and the worker continues with others', async () => {
  const acme = await tenant()
  const [silent, other] = [await startReceiver(() => {}), await startReceiver()]
  const [slow, fast] = [await createEndpoint(acme, silent), await createEndpoint(acme, other)]

  await ship(acme)
  const [sent] = await waitForDeliveries(fast, ([first]) => first?.state === 'succeeded')
  const [delivery] = await waitForDeliveries(slow, ([first]) => first?.attempts === 1)

  assert.equal(sent.attempts, 1)
  assert.partialDeepStrictEqual(delivery, { state: 'pending', last_status: null, last_error: 'timeout' })
  await waitUntil(async () => (await readEndpoint(slow)).lease_id === null)
})

test('a response of 429 or 503 postpones the next attempt as long as the server asks', async () => {
  const acme = await tenant()
  const receiver = await startReceiver(({ url }, response) => {
    const [status, after] = url!.slice(1).split('/')
    response.writeHead(Number(status), { 'retry-after': decodeURIComponent(after!) }).end()
  })
  const date = new Date(app.clock.now().getTime() + 7_200_000).toUTCString()
  const secondsOf = async (path: string) => {
    const url = `http://127.0.0.1:${receiver.port}/${path}`
    const endpoint = await createEndpoint(acme, receiver, { url })
    await ship(acme)
    const [{ next_attempt_at, attempt_log }] = await waitForDeliveries(endpoint, ([first]) => first?.attempts === 1)
    return (next_attempt_at.getTime() - Date.parse(attempt_log[0].started_at)) / 1_000
  }
  const assertAbout = (seconds: number, expected: number) =>
    assert.ok(Math.abs(seconds - expected) < 5, `${seconds} instead of ${expected}`)

  assertAbout(await secondsOf('429/3600'), 3_600)
  assertAbout(await secondsOf('503/9999999'), 86_400)
  assertAbout(await secondsOf(`503/${encodeURIComponent(date)}`), 7_200)
  assertAbout(await secondsOf('500/3600'), 5)
})

test('a long response body is not read, but its status counts', async () => {
  const acme = await tenant()
  const receiver = await startReceiver(({ url }, response) => {
    response.writeHead(url === '/500' ? 500 : 200).end('x'.repeat(100_000))
  })
  const [accepting, failing] = [
    await createEndpoint(acme, receiver),
    await createEndpoint(acme, receiver, { url: `http://127.0.0.1:${receiver.port}/500` }),
  ]

  await ship(acme)
  const [accepted] = await waitForDeliveries(accepting, ([first]) => first?.attempts === 1)
  const [failed] = await waitForDeliveries(failing, ([first]) => first?.attempts === 1)

  assert.partialDeepStrictEqual(accepted, { state: 'succeeded', last_status: 200, last_error: null })
  assert.partialDeepStrictEqual(failed, { state: 'pending', last_status: 500, last_error: 'status' })
})

test('the tenth failed attempt is the last one', async () => {
  const acme = await tenant()
  const receiver = await startReceiver((_, response) => response.writeHead(500).end())
  const endpoint = await createEndpoint(acme, receiver)
  await ship(acme)
  await waitForDeliveries(endpoint, ([first]) => first?.attempts === 1)
  await owner.query('update operations.webhook_deliveries set attempts = 9 where endpoint_id = $1', [endpoint.id])
  app.clock.advance(86_400)

  const [delivery] = await app.dispatchUntil(acme, endpoint, ([first]) => first?.attempts === 10)

  assert.partialDeepStrictEqual(delivery, { state: 'failed', next_attempt_at: null })
})

test('events of sample data are not delivered', async () => {
  const acme = await tenant()
  const receiver = await startReceiver()
  const endpoint = await createEndpoint(acme, receiver)

  await app.shipSample(acme)
  await ship(acme)
  const deliveries = await waitForDeliveries(endpoint, ([first]) => first?.state === 'succeeded')

  assert.equal(deliveries.length, 1)
  assert.equal(receiver.received.length, 1)
})
