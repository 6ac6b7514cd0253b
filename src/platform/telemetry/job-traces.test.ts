import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startTestApp, waitForValue, waitUntil } from '#testing'
import { startCollector } from './collector.stand-in.ts'
import { createLogger, startTracing } from './index.ts'

const collector = await startCollector({ after: (stop) => after(stop) })
const tracing = await startTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  createLogger({ LOG_LEVEL: 'silent' }),
)
const lines: Record<string, unknown>[] = []
const { app, tenant, startTestWorker } = await startTestApp(
  { LOG_LEVEL: 'info', SMTP_URL: 'smtp://127.0.0.1:9' },
  { onLine: (line) => lines.push(JSON.parse(line)) },
)
await app.listen({ host: '127.0.0.1', port: 0 })
await startTestWorker()
const { port } = app.server.address() as AddressInfo
const acme = await tenant()

function createApiKey(headers: Record<string, string>): Promise<number> {
  const body = JSON.stringify({ name: 'Nightly export', scopes: ['crm.read'] })
  const common = {
    host: acme.host,
    authorization: `Bearer ${acme.admin.accessToken}`,
    'content-type': 'application/json',
  }
  return new Promise((resolve, reject) => {
    const sent = request({ port, method: 'POST', path: '/api/api-keys', headers: { ...common, ...headers } })
    sent.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode!)))
    sent.on('error', reject).end(body)
  })
}

const isJobLine = (requestId: string) => (line: Record<string, unknown>) =>
  line.msg === 'job failed' && line.request_id === requestId

test('the trace and id of a request reach the jobs of its events, and their log lines and statements', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`

  assert.equal(await createApiKey({ traceparent, 'x-request-id': 'request-1' }), 201)

  const line = await waitForValue(() => lines.find(isJobLine('request-1')), Boolean)
  await waitUntil(() => collector.spans().some(({ name }) => name === 'job identity.send_access_notice'))
  assert.partialDeepStrictEqual(line, { job: 'identity.send_access_notice', tenant_id: acme.id, trace_id: traceId })
  const spans = new Map(collector.spans().map((span) => [span.spanId, span]))
  const ancestorsOf = (spanId: string | undefined): string[] => {
    const span = spans.get(spanId ?? '')
    return span ? [span.name, ...ancestorsOf(span.parentSpanId)] : [spanId!]
  }
  const jobs = ancestorsOf(line?.span_id as string).filter((name) => !name.startsWith('pg.') && !/handler/i.test(name))
  assert.deepEqual(jobs.slice(0, 2), ['job identity.send_access_notice', 'job platform.deliver_event'])
  assert.equal(jobs.at(-1), 'b7ad6b7169203331', 'the first span continues the trace of the caller')
  const ofJob = [...spans.values()].filter(({ parentSpanId }) => parentSpanId === line?.span_id)
  assert.ok(ofJob.some(({ name }) => name.startsWith('pg.query')))
})

test('a request without a trace passes on its id, and jobs of older versions still run', async () => {
  await acme.sql(`update pgboss.job_common set state = 'completed' where state < 'active'`)
  assert.equal(await createApiKey({ 'x-request-id': 'request-2' }), 201)
  await waitUntil(() => lines.some(isJobLine('request-2')))
  const failures = () => lines.filter(({ msg }) => msg === 'job failed').length
  const before = failures()

  await acme.sql(`update pgboss.job_common set data = data - 'trace', start_after = now() where state = 'retry'`)

  await waitUntil(() => failures() > before)
  assert.partialDeepStrictEqual(lines.findLast(({ msg }) => msg === 'job failed')!, {
    job: 'identity.send_access_notice',
    attempt: 2,
  })
  assert.equal(lines.findLast(({ msg }) => msg === 'job failed')?.request_id, undefined)
})

after(() => tracing.stop())
