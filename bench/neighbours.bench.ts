// Measures what users of a small workspace wait for, alone and beside a bad neighbour of each kind, over the database of seed:big.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createEnvironment, startApi, startWorker } from './api.ts'
import { openBenchWorkspace } from './big/bench-workspace.ts'
import { defaultHome, startBigServer } from './big/database.ts'
import { largeSlug, smallSlug } from './big/fill.ts'
import { percentile } from './latencies.ts'
import { badNeighbours, type NeighbourContext } from './neighbours/bad-neighbours.ts'
import { type Observed, observeSmallWorkspace, startReceiver } from './neighbours/small-work.ts'
import { startHangingServer } from './webhook-receiver.ts'

const maxRatio = 3
const noticed = ['list', 'create', 'webhook', 'bulk'] as const

type NeighboursOptions = { seconds?: number; home?: string; only?: string }

export async function run({ seconds = 20, home = defaultHome, only = '' }: NeighboursOptions = {}): Promise<number> {
  const { server, database } = await startBigServer(home)
  const owner = new pg.Pool({ connectionString: database.ownerUrl })
  owner.on('error', () => {})
  const files = await mkdtemp(join(tmpdir(), 'tributary-neighbours-'))
  const environment = createEnvironment(database, {
    RATE_LIMIT_FACTOR: '0',
    SAFE_FETCH_ALLOW_PRIVATE: 'true',
    STORAGE_URL: `file://${files}`,
  })
  const api = await startApi(environment)
  const worker = await startWorker(environment)
  const [receiver, hanging] = [await startReceiver(), await startHangingServer()]
  const open = (slug: string) => openBenchWorkspace(slug, { owner, environment, port: api.port })
  try {
    const small = await open(smallSlug)
    const others = await Promise.all(['other-1', 'other-2', 'other-3', 'other-4'].map(open))
    await small.createEndpoint(receiver.url)
    const context: NeighbourContext = { port: api.port, large: await open(largeSlug), others, hangingUrl: hanging.url }
    const observe = () => observeSmallWorkspace(small, { receiver, seconds })
    await observe()
    const alone = await observe()
    printRow('alone', alone, alone)
    let worst = 0
    for (const neighbour of badNeighbours.filter(({ name }) => name.includes(only))) {
      const stop = new AbortController()
      const misbehaving = neighbour.run(context, stop.signal)
      const observed = await observe()
      stop.abort()
      await misbehaving
      worst = Math.max(worst, printRow(neighbour.name, observed, alone))
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
