import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { createMetrics } from '#platform/telemetry'
import { waitForValue } from '#testing'
import { measureRequests } from './measure-requests.ts'

const count = 'http_request_duration_seconds_count'

function createMeasuredApp() {
  const metrics = createMetrics()
  const app = Fastify()
  measureRequests(app, metrics)
  return { app, metrics }
}

test('requests are measured by route template and status class, never by URL', async () => {
  const { app, metrics } = createMeasuredApp()
  app.get('/api/leads/:id', async () => ({ ok: true }))
  app.get('/api/broken', async () => {
    throw new Error('no')
  })

  for (const id of [1, 2, 3]) await app.inject(`/api/leads/${id}?search=canary`)
  await app.inject('/api/broken')
  await app.inject('/wp-login-canary.php')
  await app.close()
  const text = await metrics.text()

  assert.match(text, new RegExp(`^${count}{method="GET",route="/api/leads/:id",status="2xx"} 3$`, 'm'))
  assert.match(text, new RegExp(`^${count}{method="GET",route="/api/broken",status="5xx"} 1$`, 'm'))
  assert.match(text, new RegExp(`^${count}{method="GET",route="unmatched",status="4xx"} 1$`, 'm'))
  assert.match(text, /^http_request_duration_seconds_bucket{le="0\.005",method="GET",route="\/api\/leads\/:id"/m)
  assert.doesNotMatch(text, /canary/)
})

test('a request whose client disconnects is measured once, with the status of the lost response', async () => {
  const { app, metrics } = createMeasuredApp()
  const release = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  app.get('/api/slow', async (received) => {
    const closed = new Promise((resolve) => received.raw.once('close', resolve))
    started.resolve()
    await closed
    await release.promise
    return { ok: true }
  })
  await app.listen({ host: '127.0.0.1', port: 0 })

  const client = request({ host: '127.0.0.1', port: (app.server.address() as AddressInfo).port, path: '/api/slow' })
  client.on('error', () => {}).end()
  await started.promise
  client.destroy()
  const whileProcessed = await metrics.text()
  release.resolve()
  const text = await waitForValue(
    () => metrics.text(),
    (current) => current.includes(`${count}{`),
  )
  await app.close()

  assert.ok(!whileProcessed.includes(`${count}{`))
  assert.match(text, new RegExp(`^${count}{method="GET",route="/api/slow",status="2xx"} 1$`, 'm'))
  assert.match(text, /^http_client_disconnects_total{method="GET",route="\/api\/slow"} 1$/m)
})

test('requests that are not HTTP are counted', async () => {
  const { app, metrics } = createMeasuredApp()
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))

  const socket = connect(Number(port), '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
  await once(socket.resume(), 'close')
  await app.close()

  assert.match(await metrics.text(), /^http_parser_errors_total{code="HPE_INVALID_METHOD"} 1$/m)
})
