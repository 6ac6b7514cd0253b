import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMetrics, type Metrics, startMetricsServer } from './index.ts'

async function serve(t: { after(fn: () => Promise<void>): void }, metrics: Metrics) {
  const server = await startMetricsServer({ metrics, port: 0, host: '127.0.0.1' })
  t.after(server.close)
  const at = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init)
  const scrape = async () => (await at('/metrics')).text()
  return { server, at, scrape }
}

test('a scrape returns process metrics', async (t) => {
  const { at } = await serve(t, createMetrics())

  const response = await at('/metrics')
  const text = await response.text()

  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m)
  assert.match(text, /^nodejs_heap_size_used_bytes /m)
  assert.match(text, /^# TYPE nodejs_gc_duration_seconds histogram$/m)
})

test('the metrics port serves nothing else', async (t) => {
  const { at } = await serve(t, createMetrics())

  const responses = await Promise.all([
    at('/'),
    at('/api/leads/'),
    at('/metrics/'),
    at('/metrics', { method: 'POST', body: 'x' }),
    at('/metrics', { method: 'HEAD' }),
  ])

  assert.deepEqual(
    responses.map(({ status }) => status),
    [404, 404, 404, 405, 405],
  )
})

test('closing does not wait for scrapes in progress', async () => {
  const metrics = createMetrics()
  metrics.gauge({ name: 'slow', help: 'Never answers.', read: () => new Promise<number>(() => {}) })
  const server = await startMetricsServer({ metrics, port: 0, host: '127.0.0.1' })
  const hanging = fetch(`http://127.0.0.1:${server.port}/metrics`).catch((error: unknown) => error)
  await sleep(50)

  const start = performance.now()
  await server.close()

  assert.ok(performance.now() - start < 500)
  assert.ok((await hanging) instanceof Error)
})

test('a port in use is reported immediately', async (t) => {
  const { server } = await serve(t, createMetrics())

  const second = startMetricsServer({ metrics: createMetrics(), port: server.port, host: '127.0.0.1' })

  await assert.rejects(second, { code: 'EADDRINUSE' })
})

test('a gauge is read at every scrape; a failing or hanging one is omitted without affecting others', async (t) => {
  const metrics = createMetrics()
  const { scrape } = await serve(t, metrics)
  let waiting = 3
  metrics.gauge({
    name: 'pool_connections',
    help: 'Connections by state.',
    labels: ['state'],
    read: () => [
      { labels: { state: 'in_use' }, value: 5 },
      { labels: { state: 'waiting' }, value: waiting },
    ],
  })
  metrics.gauge({ name: 'outbox_age_seconds', help: 'Oldest event.', read: async () => 1.5 })
  let fails = false
  metrics.gauge({
    name: 'queue_depth',
    help: 'Jobs.',
    read: () => {
      if (fails) throw new Error('no database')
      return 9
    },
  })
  metrics.gauge({ name: 'hanging', help: 'Never answers.', read: () => new Promise<number>(() => {}) })

  const first = await scrape()
  waiting = 0
  fails = true
  const second = await scrape()

  assert.match(first, /^pool_connections{state="waiting"} 3$/m)
  assert.match(first, /^queue_depth 9$/m)
  assert.match(second, /^pool_connections{state="in_use"} 5$/m)
  assert.match(second, /^pool_connections{state="waiting"} 0$/m)
  assert.match(second, /^outbox_age_seconds 1\.5$/m)
  assert.doesNotMatch(second, /^queue_depth \d/m, 'a failing gauge must not report an old value')
  assert.doesNotMatch(second, /^hanging \d/m)
})

test('counters count, and the number of label values is limited', async () => {
  const metrics = createMetrics()
  const sent = metrics.counter({ name: 'mails_total', help: 'Mails.', labels: ['outcome'] })
  const took = metrics.histogram({ name: 'job_seconds', help: 'Jobs.', buckets: [1, 10] })

  sent({ outcome: 'sent' })
  sent({ outcome: 'sent' }, 2)
  sent({ outcome: '0198f2d4-7c1e-7000-8000-000000000000' })
  for (let i = 0; i < 2_000; i++) sent({ outcome: `value ${i}` })
  took(4)

  const text = await metrics.text()
  assert.match(text, /^mails_total{outcome="sent"} 3$/m)
  assert.doesNotMatch(text, /0198f2d4/)
  assert.ok((text.match(/^mails_total{/gm) ?? []).length <= 501)
  assert.match(text, /^job_seconds_bucket{le="10"} 1$/m)
})

test('tenant, user and id labels are rejected', () => {
  const metrics = createMetrics()

  for (const label of ['tenant', 'tenant_id', 'user', 'email', 'session', 'ip', 'lead_id']) {
    assert.throws(() => metrics.counter({ name: 'x_total', help: 'x', labels: [label] }), /must not have the label/)
  }
})
