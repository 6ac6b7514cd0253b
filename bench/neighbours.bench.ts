// Measures what users of a small workspace wait for, alone and beside a bad neighbour of each kind, over the database of seed:big.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openOwnerPool } from '#testing'
import { createEnvironment, startApi, startWorker } from './api.ts'
import { openBenchWorkspace } from './big/bench-workspace.ts'
import { defaultHome, startBigServer } from './big/database.ts'
import { smallSlug } from './big/fill.ts'
import { percentile } from './latencies.ts'
import { badNeighbours } from './neighbours/bad-neighbours.ts'
import { startNeighbour } from './neighbours/neighbour-thread.ts'
import { type Observed, observeSmallWorkspace, startReceiver } from './neighbours/small-work.ts'
import { startHangingServer } from './webhook-receiver.ts'

const maxRatio = 3
const noticed = ['list', 'create', 'webhook', 'bulk'] as const

type NeighboursOptions = { seconds?: number; home?: string; only?: string }

export async function run({ seconds = 20, home = defaultHome, only = '' }: NeighboursOptions = {}): Promise<number> {
  const { server, database } = await startBigServer(home)
  const owner = openOwnerPool(database.ownerUrl)
  owner.on('error', () => {})
  await removeWork(owner)
  const files = await mkdtemp(join(tmpdir(), 'tributary-neighbours-'))
  const environment = createEnvironment(database, {
    RATE_LIMIT_FACTOR: '0',
    SAFE_FETCH_ALLOW_PRIVATE: 'true',
    STORAGE_URL: `file://${files}`,
  })
  const api = await startApi(environment)
  const worker = await startWorker(environment)
  const [receiver, hanging] = [await startReceiver(), await startHangingServer()]
  try {
    const small = await openBenchWorkspace(smallSlug, { owner, environment, port: api.port })
    await small.createEndpoint(receiver.url)
    const settings = { ownerUrl: database.ownerUrl, environment, port: api.port, hangingUrl: hanging.url }
    const observe = () => observeSmallWorkspace(small, { receiver, seconds })
    await observe()
    let worst = 0
    for (const neighbour of badNeighbours.filter(({ name }) => name.includes(only))) {
      await waitForWork(owner)
      // Alone again before each neighbour, because the speed of the machine changes.
      const readStolen = startStolenTime()
      const alone = await observe()
      const stop = await startNeighbour({ ...settings, name: neighbour.name })
      const observed = await observe()
      await stop()
      printRow('alone', alone, alone)
      worst = Math.max(worst, printRow(`${neighbour.name}${readStolen()}`, observed, alone))
    }
    await small.deleteEndpoints()
    console.log(`ratio: ${worst.toFixed(2)} (goal: at most ${maxRatio})`)
    return worst
  } finally {
    receiver.stop()
    hanging.stop()
    await worker.stop()
    await api.stop()
    await owner.end()
    await server.stop()
    await rm(files, { recursive: true, force: true })
  }
}

/** Removes what an earlier run left behind, whose secrets this run cannot read. */
async function removeWork(owner: pg.Pool): Promise<void> {
  await owner.query(`delete from pgboss.job where name <> 'schedules' and state <> 'completed'`)
  await owner.query('truncate operations.webhook_endpoints, operations.backups, platform.outbox_events cascade')
}

/** Waits until the work of the neighbour before is done, at most five minutes. */
async function waitForWork(owner: pg.Pool): Promise<void> {
  for (let waited = 0; waited < 300; waited++) {
    const { rows } = await owner.query(
      `select from pgboss.job where name <> 'schedules' and name not like '%\\_dead' and (state = 'active' or state in ('created', 'retry') and start_after <= now()) limit 1`,
    )
    if (!rows.length) return
    await sleep(1_000)
  }
}

/** Tells how much of the processor time the host gave to other machines, which makes a comparison invalid. */
function startStolenTime(): () => string {
  const read = () => readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).slice(1, 9).map(Number)
  const before = read()
  return () => {
    const spent = read().map((ticks, index) => ticks - before[index]!)
    const total = spent.reduce((sum, ticks) => sum + ticks, 0)
    return ` (${Math.round((100 * spent[7]!) / total)} % stolen)`
  }
}

/** Prints the 95th percentiles and returns the largest ratio to those without a neighbour; infinite after a failure. */
function printRow(name: string, observed: Observed, alone: Observed): number {
  const cells = noticed.map((kind) => {
    const ratio = p95(observed[kind]) / p95(alone[kind])
    return {
      ratio,
      text: `${kind} ${p95(observed[kind]).toFixed(0)} ms (${ratio.toFixed(1)}x, ${observed[kind].length})`,
    }
  })
  console.log(`${name}: ${cells.map(({ text }) => text).join(', ')}, ${observed.failures.length} failures`)
  for (const failure of new Set(observed.failures)) console.log(`  ${failure}`)
  return observed.failures.length ? Number.POSITIVE_INFINITY : Math.max(...cells.map(({ ratio }) => ratio))
}

const p95 = (values: readonly number[]): number => percentile(values, 0.95)
