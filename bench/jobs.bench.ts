// Measures background jobs: delay from commit to start, jobs and events per second, and the cost of enqueuing.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { systemActor } from '#platform/access'
import {
  connect,
  connectSystem,
  type Db,
  disconnect,
  inSystem,
  inTenant,
  listen,
  type SystemDb,
  type TenantTx,
} from '#platform/db'
import { newId } from '#platform/ids'
import { createJobQueue, defineJob, defineJobHandler, enqueue, enqueueMany, startJobWorker } from '#platform/jobs'
import { defineEvent, emit, registerConsumers, registerSubscriptions, relayBatch, subscribe } from '#platform/outbox'
import { databaseUrls, migrateTemplate, startPostgres } from '#testing'
import { compareVariants } from './measure.ts'

type BenchContext = { db: Db; systemDb: SystemDb; systemUrl: string }

const Note = Type.Object({ note: Type.String() })
const work = defineJob('bench.work', 'bulk', Note)
const smallWork = defineJob('bench.small_work', 'events', Note)
const rowWritten = defineEvent('row.written', { resource: 'admin', description: 'A row was written.', data: Note })
const tenants = Array.from({ length: 20 }, newId)
const log = { info() {}, warn() {}, error() {} }

export async function run(): Promise<void> {
  const server = await startPostgres({ isDurable: true })
  try {
    await migrateTemplate(server.url, 'bench')
    const { appUrl, systemUrl, ownerUrl } = databaseUrls(server.url, 'bench')
    await createPlainTables(ownerUrl)
    const db = connect(appUrl, { max: 16 })
    const bench = { db, systemDb: connectSystem(systemUrl, { sameInstanceAs: db }), systemUrl }
    const jobQueue = createJobQueue({ db, systemUrl })
    await jobQueue.start()
    try {
      await measureAll(bench)
    } finally {
      await jobQueue.stop()
      await Promise.all([disconnect(bench.db), disconnect(bench.systemDb)])
    }
  } finally {
    await server.stop()
  }
}

async function measureAll(bench: BenchContext): Promise<void> {
  const delays = await measureStart(bench)
  console.log(`commit to start at 50 jobs/s: p50 ${quantile(delays, 0.5)} ms, p99 ${quantile(delays, 0.99)} ms`)
  console.log(`10,000 small jobs: ${Math.round(await measureSmallJobs(bench))} jobs/s`)

  registerSubscriptions(bench.db, [subscribe(rowWritten, 'bench.reader', async () => {})])
  await inSystem(bench.systemDb, registerConsumers)
  const steadyBatches = await measureSteadyRelay(bench)
  console.log(
    `relay at 1,000 events/s: batch p50 ${quantile(steadyBatches, 0.5)} ms, p99 ${quantile(steadyBatches, 0.99)} ms`,
  )
  const fullBatches = await measureFullRelay(bench)
  const total = fullBatches.reduce((sum, value) => sum + value, 0)
  console.log(
    `relay with a backlog: ${Math.round((500_000 * fullBatches.length) / total)} events/s, batch of 500 p50 ${quantile(fullBatches, 0.5)} ms`,
  )

  console.log('16 concurrent transactions with enqueue, without and with NOTIFY')
  await compareVariants([
    { name: 'without', run: createTransaction(bench.db, enqueueWithoutNotify) },
    { name: 'with NOTIFY', run: createTransaction(bench.db, enqueueWithNotify) },
  ])
  console.log('16 concurrent transactions')
  const [, ratio] = await compareVariants([
    { name: 'plain insert', run: createTransaction(bench.db, insertPlainRow) },
    { name: 'enqueue', run: createTransaction(bench.db, enqueueOne) },
  ])
  console.log(`ratio: ${ratio!.toFixed(2)}`)
}

/** Returns the delays from the commit to the start of the handler. */
async function measureStart({ db, systemDb, systemUrl }: BenchContext): Promise<number[]> {
  const committed = new Map<string, number>()
  const started = new Map<string, number>()
  const listener = await listen(systemUrl)
  const handler = defineJobHandler(work, async (_, { note }) => void started.set(note, performance.now()))
  const { stop } = await startJobWorker({
    systemUrl,
    db,
    systemDb,
    listener,
    log,
    handlers: [handler],
    getTenantStatus: tenantStatus,
  })
  const seconds = 20
  const startedAt = performance.now()
  for (let count = 0; count < 50 * seconds; count++) {
    const note = newId()
    await inTenant(db, systemActor(tenantOf(count)), (tx) => enqueue(tx, work, { note }))
    committed.set(note, performance.now())
    await sleep(Math.max(0, startedAt + (count + 1) * 20 - performance.now()))
  }
  while (started.size < committed.size) await sleep(20)
  await stop()
  await listener.close()
  return [...committed].map(([note, at]) => Math.max(0, started.get(note)! - at)).slice(50)
}

async function measureSmallJobs({ db, systemDb, systemUrl }: BenchContext): Promise<number> {
  const total = 10_000
  for (let done = 0; done < total; done += 500) {
    const jobs = Array.from({ length: 500 }, (_, index) => ({
      tenantId: tenantOf(index),
      payload: { note: 'x' },
      origin: 'job' as const,
    }))
    await inSystem(systemDb, (tx) => enqueueMany(tx, smallWork, jobs))
  }
  let completed = 0
  const handler = defineJobHandler(smallWork, async () => void completed++)
  const startedAt = performance.now()
  const { stop } = await startJobWorker({
    systemUrl,
    db,
    systemDb,
    log,
    handlers: [handler],
    getTenantStatus: tenantStatus,
  })
  while (completed < total) await sleep(5)
  const durationMs = performance.now() - startedAt
  await stop()
  return total / (durationMs / 1_000)
}

/** Emits events at a steady rate while the relay publishes them in batches. */
async function measureSteadyRelay({ db, systemDb }: BenchContext): Promise<number[]> {
  let isDone = false
  const batches: number[] = []
  const relaying = (async () => {
    while (!isDone) {
      const startedAt = performance.now()
      if ((await relayBatch(systemDb)) > 0) batches.push(performance.now() - startedAt)
      await sleep(5)
    }
  })()
  const startedAt = performance.now()
  for (let count = 0; count < 1_000; count++) {
    await emitTen(db, tenantOf(count))
    await sleep(Math.max(0, startedAt + (count + 1) * 10 - performance.now()))
  }
  isDone = true
  await relaying
  return batches
}

async function measureFullRelay({ db, systemDb }: BenchContext): Promise<number[]> {
  for (let count = 0; count < 2_000; count++) await emitTen(db, tenantOf(count))
  const batches: number[] = []
  for (;;) {
    const startedAt = performance.now()
    if ((await relayBatch(systemDb)) < 500) return batches
    batches.push(performance.now() - startedAt)
  }
}

async function emitTen(db: Db, tenantId: string): Promise<void> {
  await inTenant(db, systemActor(tenantId), async (tx) => {
    for (let count = 0; count < 10; count++) await emit(tx, rowWritten, { id: newId() }, { note: 'x' })
  })
}

type TransactionStep = (tx: TenantTx) => Promise<unknown>

const enqueueOne: TransactionStep = (tx) => enqueue(tx, work, { note: newId() })
const insertPlainRow: TransactionStep = (tx) => {
  const data = JSON.stringify({ job: work.name, payload: { note: newId() } })
  return sql`insert into bench.plain (id, name, data) values (${newId()}, 'bulk', ${data})`.execute(tx)
}
/** Executes the same number of statements, so that only NOTIFY differs. */
const enqueueWithoutNotify: TransactionStep = async (tx) => [
  await enqueueOne(tx),
  await sql`select length('bulk')`.execute(tx),
]
const enqueueWithNotify: TransactionStep = async (tx) => [
  await enqueueOne(tx),
  await sql`select pg_notify('bench', 'bulk')`.execute(tx),
]

/** Runs a change and the step in one transaction, alternating between tenants. */
function createTransaction(db: Db, step: TransactionStep): () => Promise<void> {
  let count = 0
  return () =>
    inTenant(db, systemActor(tenantOf(count++)), async (tx) => {
      await sql`insert into bench.changes (id) values (${newId()})`.execute(tx)
      await step(tx)
    })
}

async function createPlainTables(ownerUrl: string): Promise<void> {
  const owner = connect(ownerUrl, { max: 1 })
  await owner.pool.query(`
    create schema bench;
    grant usage on schema bench to app;
    create table bench.changes (tenant_id uuid not null, id uuid not null, primary key (tenant_id, id));
    create table bench.plain (tenant_id uuid not null, id uuid not null, name text not null, data jsonb not null,
      state text not null default 'created', created_on timestamptz not null default now(), primary key (tenant_id, id));
    create index on bench.plain (name, created_on) where state = 'created';
    call platform.isolate_by_tenant('bench.changes');
    call platform.isolate_by_tenant('bench.plain');`)
  await disconnect(owner)
}

const tenantStatus = async () => 'active' as const

const tenantOf = (count: number) => tenants[count % tenants.length]!

function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]! * 10) / 10
}
