// What background work costs: from commit to start, jobs and events a second, and enqueuing in a transaction.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { systemIn } from '#platform/access'
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
import { defineJob, enqueue, enqueueMany, handleJob, startJobs, stopJobs, workOnJobs } from '#platform/jobs'
import { defineEvent, emit, registerSubscriptions, relayBatch, subscribe } from '#platform/outbox'
import { databaseUrls, migrateTemplate, startPostgres } from '#testing'
import { compare } from './measure.ts'

type Bench = { db: Db; systemDb: SystemDb; systemUrl: string }

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
    const bench = { db: connect(appUrl, { max: 16 }), systemDb: connectSystem(systemUrl), systemUrl }
    await startJobs({ systemUrl })
    try {
      await measureAll(bench)
    } finally {
      await stopJobs()
      await Promise.all([disconnect(bench.db), disconnect(bench.systemDb)])
    }
  } finally {
    await server.stop()
  }
}

async function measureAll(bench: Bench): Promise<void> {
  const waits = await measureStart(bench)
  console.log(`commit to start at 50 jobs/s: p50 ${quantile(waits, 0.5)} ms, p99 ${quantile(waits, 0.99)} ms`)
  console.log(`10,000 small jobs: ${Math.round(await measureSmallJobs(bench))} jobs/s`)

  registerSubscriptions([subscribe(rowWritten, 'bench.reader', async () => {})])
  const steady = await measureSteadyRelay(bench)
  console.log(`relay at 1,000 events/s: batch p50 ${quantile(steady, 0.5)} ms, p99 ${quantile(steady, 0.99)} ms`)
  const full = await measureFullRelay(bench)
  const total = full.reduce((sum, taken) => sum + taken, 0)
  console.log(
    `relay with a backlog: ${Math.round((500_000 * full.length) / total)} events/s, batch of 500 p50 ${quantile(full, 0.5)} ms`,
  )

  console.log('16 committers that enqueue, without and with a NOTIFY in their transaction')
  await compare([
    { name: 'without', run: committing(bench.db, quietly) },
    { name: 'with NOTIFY', run: committing(bench.db, loudly) },
  ])
  console.log('16 committers')
  const [, ratio] = await compare([
    { name: 'plain insert', run: committing(bench.db, insertPlainly) },
    { name: 'enqueue', run: committing(bench.db, enqueueOne) },
  ])
  console.log(`ratio: ${ratio!.toFixed(2)}`)
}

/** From the moment the commit is known to the first line of the handler. */
async function measureStart({ db, systemDb, systemUrl }: Bench): Promise<number[]> {
  const committed = new Map<string, number>()
  const started = new Map<string, number>()
  const listener = await listen(systemUrl)
  const handler = handleJob(work, async (_, { note }) => void started.set(note, performance.now()))
  const { stop } = await workOnJobs({ systemUrl, db, systemDb, listener, log, handlers: [handler], tenantStatus })
  const seconds = 20
  const begun = performance.now()
  for (let count = 0; count < 50 * seconds; count++) {
    const note = newId()
    await inTenant(db, systemIn(tenantOf(count)), (tx) => enqueue(tx, work, { note }))
    committed.set(note, performance.now())
    await sleep(Math.max(0, begun + (count + 1) * 20 - performance.now()))
  }
  while (started.size < committed.size) await sleep(20)
  await stop()
  await listener.close()
  return [...committed].map(([note, at]) => Math.max(0, started.get(note)! - at)).slice(50)
}

async function measureSmallJobs({ db, systemDb, systemUrl }: Bench): Promise<number> {
  const total = 10_000
  for (let done = 0; done < total; done += 500) {
    const orders = Array.from({ length: 500 }, (_, index) => ({
      ...{ tenantId: tenantOf(index), payload: { note: 'x' }, origin: 'job' as const },
    }))
    await inSystem(systemDb, (tx) => enqueueMany(tx, smallWork, orders))
  }
  let ran = 0
  const handler = handleJob(smallWork, async () => void ran++)
  const begun = performance.now()
  const { stop } = await workOnJobs({ systemUrl, db, systemDb, log, handlers: [handler], tenantStatus })
  while (ran < total) await sleep(5)
  const taken = performance.now() - begun
  await stop()
  return total / (taken / 1_000)
}

/** Events come in as they do in a busy hour, and each batch takes what has come in since the last. */
async function measureSteadyRelay({ db, systemDb }: Bench): Promise<number[]> {
  let isOver = false
  const batches: number[] = []
  const relaying = (async () => {
    while (!isOver) {
      const begun = performance.now()
      if ((await relayBatch(systemDb)) > 0) batches.push(performance.now() - begun)
      await sleep(5)
    }
  })()
  const begun = performance.now()
  for (let count = 0; count < 1_000; count++) {
    await emitTen(db, tenantOf(count))
    await sleep(Math.max(0, begun + (count + 1) * 10 - performance.now()))
  }
  isOver = true
  await relaying
  return batches
}

async function measureFullRelay({ db, systemDb }: Bench): Promise<number[]> {
  for (let count = 0; count < 2_000; count++) await emitTen(db, tenantOf(count))
  const batches: number[] = []
  for (;;) {
    const begun = performance.now()
    if ((await relayBatch(systemDb)) < 500) return batches
    batches.push(performance.now() - begun)
  }
}

async function emitTen(db: Db, tenantId: string): Promise<void> {
  await inTenant(db, systemIn(tenantId), async (tx) => {
    for (let count = 0; count < 10; count++) await emit(tx, rowWritten, { id: newId() }, { note: 'x' })
  })
}

type Step = (tx: TenantTx) => Promise<unknown>

const enqueueOne: Step = (tx) => enqueue(tx, work, { note: newId() })
const insertPlainly: Step = (tx) => {
  const data = JSON.stringify({ job: work.name, payload: { note: newId() } })
  return sql`insert into bench.plain (id, name, data) values (${newId()}, 'bulk', ${data})`.execute(tx)
}
/** The same number of statements, so that only the notice differs. */
const quietly: Step = async (tx) => [await enqueueOne(tx), await sql`select length('bulk')`.execute(tx)]
const loudly: Step = async (tx) => [await enqueueOne(tx), await sql`select pg_notify('bench', 'bulk')`.execute(tx)]

/** A change and what goes with it, in one transaction, for one tenant after the other. */
function committing(db: Db, step: Step): () => Promise<void> {
  let count = 0
  return () =>
    inTenant(db, systemIn(tenantOf(count++)), async (tx) => {
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

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]! * 10) / 10
}
