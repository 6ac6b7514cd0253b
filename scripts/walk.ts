// Prints how many of our files and functions one GET and one POST of a lead run, measured with V8 coverage of a
// real server. With --files it lists them, with --verify it fails if they are more than in tests/budgets.json.
import { request } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readConfig } from '#platform/config'
import { newId } from '#platform/ids'
import { createTestDatabase, migrateTemplate, openOwnerPool, startPostgres } from '#testing'
import { createEnvironment, domain } from '../bench/api.ts'
import { createAccessToken } from '../bench/sign-in.ts'
import { buildApp } from '../src/app.ts'
import { openServices } from '../src/services.ts'
import { readBudgets } from '../tests/budgets/budgets.ts'

const source = pathToFileURL(join(import.meta.dirname, '../src/')).href
const slug = 'engines'
const warmUpRequests = 20
const measuredRequests = 3

const server = await startPostgres()
await migrateTemplate(server.url)
const database = await createTestDatabase(server.url)
const owner = openOwnerPool(database.ownerUrl, 1)
const environment = createEnvironment(database, { LOG_LEVEL: 'silent', OVERLOAD_DELAY_MS: '0' })
const { services, close } = await openServices(readConfig(environment))
await services.jobQueue.start()
const app = await buildApp(services)
await app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

const authorization = `Bearer ${await createAdmin()}`
const coverage = new Session()
coverage.connect()
await coverage.post('Profiler.enable')
try {
  const { id } = await createLead()
  const { walk } = readBudgets(join(import.meta.dirname, '..'))
  await report('GET of a lead', walk.read, () => send('GET', `/api/leads/${id}`))
  await report('POST of a lead', walk.write, createLead)
} finally {
  coverage.disconnect()
  await app.close()
  await close()
  await owner.end()
  await server.stop()
}

async function createAdmin(): Promise<string> {
  const [tenantId, userId] = [newId(), newId()]
  await owner.query(`insert into identity.tenants (id, slug, name) values ($1, $2, 'Engines')`, [tenantId, slug])
  await owner.query(
    `insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text)
     values ($1, $2, 'ada@engines.example', 'Ada', 'admin', 'active', true, 'admin', 'ada')`,
    [tenantId, userId],
  )
  return await createAccessToken(owner, { tenantId, userId }, environment)
}

function createLead() {
  const id = newId()
  return send('POST', '/api/leads/', { last_name: `Lovelace ${id}`, email: `${id}@acme.example` })
}

/** Sends over a socket with `node:http`, because fetch cannot set the host. */
async function send(method: 'GET' | 'POST', url: string, body?: object): Promise<{ id: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ id: string }>()
  const headers = { host: `${slug}.${domain}`, authorization, ...(body && { 'content-type': 'application/json' }) }
  const sent = request(`${origin}${url}`, { method, headers }, async (response) => {
    const text = (await response.toArray()).join('')
    if (response.statusCode! < 300) resolve(JSON.parse(text))
    else reject(new Error(`${method} ${url} failed with ${response.statusCode}: ${text}`))
  })
  sent.on('error', reject).end(body && JSON.stringify(body))
  return await promise
}

/** Repeats the request first, because the first ones compile schemas and fill caches. */
async function report(title: string, maxFiles: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < warmUpRequests; n++) await work()
  const measured: CalledFile[][] = []
  for (let n = 0; n < measuredRequests; n++) measured.push(await listCalledFiles(work))
  // A timer of the process can run during a request.
  const files = measured.toSorted((one, other) => one.length - other.length)[0]!
  const calls = files.reduce((sum, file) => sum + file.calls, 0)
  console.log(`${title}: ${files.length} files, ${calls} calls`)
  if (process.argv.includes('--files'))
    for (const file of files) console.log(`  ${String(file.calls).padStart(4)}  ${file.path}`)
  if (!process.argv.includes('--verify') || files.length <= maxFiles) return
  console.error(`${title} runs ${files.length} files, its budget is ${maxFiles}. npm run walk -- --files lists them.`)
  process.exitCode = 1
}

type CalledFile = { path: string; calls: number }

async function listCalledFiles(work: () => Promise<unknown>): Promise<CalledFile[]> {
  await coverage.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await coverage.post('Profiler.takePreciseCoverage')
  await work()
  // The log line and the counters of a request follow its response.
  await new Promise((resolve) => setTimeout(resolve, 50))
  const { result } = await coverage.post('Profiler.takePreciseCoverage')
  await coverage.post('Profiler.stopPreciseCoverage')
  return result
    .filter(({ url }) => url.startsWith(source))
    .map(({ url, functions }) => ({
      path: url.slice(source.length),
      calls: functions.reduce((sum, { ranges }) => sum + ranges[0]!.count, 0),
    }))
    .filter(({ calls }) => calls > 0)
    .toSorted((one, other) => one.path.localeCompare(other.path))
}
