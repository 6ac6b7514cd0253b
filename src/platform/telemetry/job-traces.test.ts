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
const [acme, globex] = [await tenant(), await tenant()]
type Workspace = typeof acme

function createApiKey({ host, admin }: Workspace, headers: Record<string, string>): Promise<number> {
  const body = JSON.stringify({ name: 'Nightly export', scopes: ['crm.read'] })
  const common = {
    host,
    authorization: `Bearer ${admin.accessToken}`,
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

  assert.equal(await createApiKey(acme, { traceparent, 'x-request-id': 'request-1' }), 201)

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
  assert.equal(await createApiKey(globex, { 'x-request-id': 'request-2' }), 201)
  await waitUntil(() => lines.some(isJobLine('request-2')))
  const removeTrace = () =>
    globex.sql(
      `update pgboss.job_common set data = data - 'trace', start_after = now()
       where state = 'retry' and group_id = $1 and data ? 'trace'`,
      [globex.id],
    )

  await waitUntil(async () => (await removeTrace()).rowCount === 1)

  const isWithoutRequest = ({ msg, tenant_id, request_id }: Record<string, unknown>) =>
    msg === 'job failed' && tenant_id === globex.id && !request_id
  const line = await waitForValue(() => lines.find(isWithoutRequest), Boolean)
  assert.partialDeepStrictEqual(line, { job: 'identity.send_access_notice' })
})

after(() => tracing.stop())
