import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startRedis } from '../../testing/servers/redis.ts'
import { startCollector } from './collector.stand-in.ts'

const database = `${process.env.TEST_POSTGRES_URL}/postgres`

/** Prints how many files of OpenTelemetry are loaded. */
const printLoaded = `
  const files = Object.keys(process.getBuiltinModule('node:module')._cache)
  log.info({ count: files.filter((file) => /opentelemetry.(sdk|instrumentation|exporter)/.test(file)).length }, 'loaded')`

/** Source of a small application that imports everything before tracing starts. */
const program = (endpoint: string) => `
  import Fastify from 'fastify'
  import pg from 'pg'
  import { createLogger, startTracing } from '#platform/telemetry'
  const log = createLogger({ LOG_LEVEL: 'info' })
  const tracing = await startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: '${endpoint}' }, log)
  const pool = new pg.Pool({ connectionString: '${database}' })
  const app = Fastify({ loggerInstance: log })
  app.get('/health', async () => 'ok')
  app.get('/things/:token', async (request) => {
    request.log.info('in the handler')
    const { rows } = await pool.query('select $1::text as value', ['canary-value'])
    return rows
  })
  app.get('/broken', async () => { throw new Error('token=canary-error') })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const at = (path, headers = {}) => fetch('http://127.0.0.1:' + app.server.address().port + path, { headers })
  await at('/health')
  await at('/things/canary-path?code=canary-query', {
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    authorization: 'Bearer canary-header',
    'user-agent': 'canary-agent',
  })
  await at('/broken')
  await app.close()
  await pool.end()
  const stopping = performance.now()
  await tracing.stop()
  ${printLoaded}
  log.info({ stop_ms: performance.now() - stopping }, 'stopped')`

const run = async (source: string) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', source])
  return stdout
}
const linesOf = (stdout: string): Record<string, string>[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const collector = await startCollector({ after: (stop) => after(stop) })
const traced = linesOf(await run(program(collector.url)))

test('a trace continues from the caller to the SQL statement, and log lines contain its id', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'

  const spans = collector.spans().filter((span) => span.traceId === traceId)
  const server = spans.find(({ name }) => name === 'GET /things/:token')
  const statement = spans.find(({ name }) => name.startsWith('pg.query'))
  const ids = new Set(spans.map(({ spanId }) => spanId))
  assert.equal(server?.parentSpanId, 'b7ad6b7169203331', 'the trace of the caller is continued')
  assert.ok(statement?.parentSpanId && ids.has(statement.parentSpanId), 'the statement belongs to the request')
  const line = traced.find(({ msg }) => msg === 'in the handler')
  assert.equal(line?.trace_id, traceId)
  assert.ok(ids.has(line?.span_id ?? ''))
})

test('traces contain no URLs, values or headers, and health checks are not traced', () => {
  assert.ok(collector.spans().some(({ name }) => name === 'GET /broken'))
  assert.doesNotMatch(collector.text(), /canary/)
  assert.doesNotMatch(collector.text(), /\/health/)
})

test('OpenTelemetry is loaded only if an endpoint is configured', async () => {
  const without = linesOf(
    await run(`
      import { createLogger, startTracing } from '#platform/telemetry'
      const log = createLogger({ LOG_LEVEL: 'info' })
      const tracing = await startTracing({}, log)
      log.info('hello')
      await tracing.stop()
      ${printLoaded}`),
  )

  assert.equal(without[0]?.trace_id, undefined)
  assert.equal(without[1]?.count, 0)
  assert.ok(Number(traced.find(({ msg }) => msg === 'loaded')?.count) > 0)
})

test('an unreachable or hanging collector does not delay requests or shutdown', async (t) => {
  const hanging = await startRedis()
  t.after(hanging.stop)
  hanging.pause()
  const endpoints = ['http://127.0.0.1:9', `http://127.0.0.1:${hanging.port}`]

  const outputs = await Promise.all(endpoints.map((endpoint) => run(program(endpoint))))

  for (const stdout of outputs) {
    const lines = linesOf(stdout)
    assert.equal(lines.at(-1)?.msg, 'stopped')
    assert.ok(Number(lines.at(-1)?.stop_ms) < 8_000, `${lines.at(-1)?.stop_ms}`)
    assert.equal(lines.filter(({ msg }) => msg === 'request completed').length, 3)
    assert.ok(lines.some(({ msg }) => msg?.includes('could not be delivered')))
    for (const endpoint of endpoints) assert.ok(!stdout.includes(new URL(endpoint).host))
  }
})
