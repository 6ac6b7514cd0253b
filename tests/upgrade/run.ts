// npm run upgrade [-- --from <commit>]: replaces a running version by the next one, while requests are sent. Without --from the next
// version is this checkout with further migrations. Fails if a request fails, an event is lost or the old version cannot restart.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { databaseUrls, startPostgres, waitUntil } from '#testing'
import { createEnvironment, currentCheckout, startApi, startWorker } from '../../bench/api.ts'
import { extractCommit } from '../../bench/compare/checkout.ts'
import { fillVersionDatabase, signInAt } from '../../bench/compare/version.ts'
import { startWebhookReceiver } from '../../bench/webhook-receiver.ts'
import { startLoad } from './load.ts'
import { createNextVersion } from './next-version.ts'

const clients = 4
const phaseMs = 5_000

const { values } = parseArgs({ options: { from: { type: 'string' } } })
const oldCheckout = values.from ? await extractCommit(values.from) : currentCheckout
const newCheckout = values.from ? currentCheckout : createNextVersion()
const postgres = await startPostgres({})
const files = await mkdtemp(join(tmpdir(), 'tributary-upgrade-'))
const database = databaseUrls(postgres.url, 'upgrade')
const environment = createEnvironment(database, {
  DATABASE_OWNER_URL: database.ownerUrl,
  RATE_LIMIT_FACTOR: '0',
  SAFE_FETCH_ALLOW_PRIVATE: 'true',
  STORAGE_URL: `file://${files}`,
})
const env = { PATH: process.env.PATH, ...environment }

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url)
  await client.connect()
  return await client.query(text).finally(() => client.end())
}

async function migrate(checkout: string): Promise<void> {
  const child = spawn(process.execPath, ['src/main.ts', 'migrate'], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`migrate ended with code ${code}.`)
}

await query(`${postgres.url}/postgres`, 'create database upgrade')
await migrate(oldCheckout)
await fillVersionDatabase(database.ownerUrl, 20_000)
let oldApi = await startApi(environment, oldCheckout)
let oldWorker = await startWorker(environment, oldCheckout)
const { headers, send } = await signInAt(oldApi.port)
const announced = new Set<string>()
const receiver = await startWebhookReceiver((id) => void announced.add(id))
await send({ method: 'POST', path: '/api/webhooks', body: { url: receiver.url, event_types: ['lead.created'] } })
const load = startLoad(headers, clients)
const say = (text: string) => console.log(`${text}: ${load.requests()} requests, ${load.failures.length} failed`)

load.addProcess(oldApi.port)
load.start()
await sleep(phaseMs)
say('old version')
await migrate(newCheckout)
say('migrated')
const newApi = await startApi(environment, newCheckout)
const newWorker = await startWorker(environment, newCheckout)
load.addProcess(newApi.port)
await sleep(phaseMs)
say('both versions')

await load.removeProcess(oldApi.port)
await Promise.all([oldApi.stop(), oldWorker.stop()])
oldApi = await startApi(environment, oldCheckout)
oldWorker = await startWorker(environment, oldCheckout)
load.addProcess(oldApi.port)
await sleep(phaseMs)
say('old version restarted')

await load.removeProcess(oldApi.port)
await Promise.all([oldApi.stop(), oldWorker.stop()])
await sleep(phaseMs)
await load.stop()
say('new version')

const missing = () => load.created.filter((id) => !announced.has(id)).length
await waitUntil(() => missing() === 0, 120).catch(() => {})
const { rows: dead } = await query(database.ownerUrl, `select from pgboss.job where name like '%\\_dead'`)
console.log(`${load.created.length} leads created, ${missing()} events missing, ${dead.length} dead jobs`)
for (const failure of new Set(load.failures)) console.log(failure)
await Promise.all([newApi.stop(), newWorker.stop()])
receiver.stop()
await postgres.stop()
await rm(files, { recursive: true, force: true })
process.exitCode = load.failures.length || missing() || dead.length ? 1 : 0
