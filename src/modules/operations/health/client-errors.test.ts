import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics, registerClientErrorMetrics } from '#platform/telemetry'
import { startTestApp } from '#testing'

const lines: string[] = []
const app = await startTestApp(
  { LOG_LEVEL: 'info', RATE_LIMIT_FACTOR: '1' },
  { onLine: (line) => void lines.push(line) },
)
const url = '/api/client-errors'
const report = {
  kind: 'rejection',
  name: 'TypeError',
  message: 'Cannot read properties of undefined reading …',
  page: '/leads/…',
  frames: ['main-B1x2_-.js:4:1290', 'leads-page-C9.js:1:20'],
}

const linesOfReports = () =>
  lines.filter((line) => line.includes('a browser reported an error')).map((line) => JSON.parse(line))

test('a report of a browser is one line of the log and counted by its kind', async () => {
  const acme = await app.tenant()
  const metrics = createMetrics()
  registerClientErrorMetrics(metrics, app.services.clientErrors)

  const { status, text } = await acme.viewer.post(url, report)

  assert.deepEqual([status, text], [204, ''])
  const [line, ...others] = linesOfReports()
  assert.deepEqual(others, [])
  assert.deepEqual([line.level, line.client_error], ['warn', report])
  assert.doesNotMatch(JSON.stringify(line), new RegExp(`${acme.viewer.userId}|${acme.viewer.email}`))
  assert.match(await metrics.text(), /^client_errors\{kind="rejection"\} 1$/m)
})

test('a report with a query, an id, quoted text, a foreign file or too much of a field is refused and not logged', async () => {
  const acme = await app.tenant()
  const before = linesOfReports().length
  const invalid = [
    { page: '/leads?search=keller' },
    { page: `/leads/${acme.id}` },
    { message: "Unexpected token 'Keller'" },
    { message: 'a'.repeat(161) },
    { name: 'anna@keller.example' },
    { frames: ['https://other.example/x.js:1:1'] },
    { frames: Array(9).fill('main.js:1:1') },
    { kind: 'other' },
    { text: 'typed' },
  ]

  const responses = await Promise.all(invalid.map((field) => acme.member.post(url, { ...report, ...field })))
  const large = await acme.member.post(url, { ...report, frames: Array(200).fill('main-B1x2.js:4:1290') })

  assert.deepEqual(
    responses.map(({ status }) => status),
    invalid.map(() => 422),
  )
  assert.equal(large.status, 413)
  assert.equal(linesOfReports().length, before)
})

test('reports of one user are limited, and neither API keys nor visitors can send any', async () => {
  const acme = await app.tenant()
  const key = (await acme.admin.post('/api/api-keys', { name: 'Leads', scopes: ['leads.read'] })).body

  const statuses = []
  for (let count = 0; count < 31; count++) statuses.push((await acme.member.post(url, report)).status)

  assert.deepEqual(statuses, [...Array(30).fill(204), 429])
  assert.equal((await acme.viewer.post(url, report)).status, 204)
  assert.equal((await acme.bearer(`ApiKey ${key.key}`).post(url, report)).status, 403)
  assert.equal((await acme.anonymous.post(url, report)).status, 401)
})
