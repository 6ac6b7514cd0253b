import { systemActor } from '#platform/access'
import { type Db, inTenant } from '#platform/db'
import { foldLeadDeltas } from '../../src/modules/crm/work/analytics/rollups.service.ts'
import { median } from '../measure.ts'
import { type BenchRequest, benchRequests, type Measure } from './bench-requests.ts'
import type { BenchWorkspace } from './bench-workspace.ts'

const warmUpRounds = 5

/** Prints how much longer each request takes in the larger workspace. Returns the worst ratio of each kind. */
export async function printRatios(
  larger: BenchWorkspace,
  smaller: BenchWorkspace,
  { rounds, db }: { rounds: number; db: Db },
): Promise<Record<BenchRequest['kind'], number>> {
  const worst = { list: 0, call: 0, search: 0, frequent: 0, analytics: 0, forecast: 0 }
  for (const { name, kind, prepare } of benchRequests) {
    // In production the deltas are folded every minute, so earlier changes do not count.
    for (const { tenantId } of [larger, smaller]) await foldAllDeltas(db, tenantId)
    const ratio = await printRatio(name, [await prepare(larger), await prepare(smaller)], rounds)
    worst[kind] = Math.max(worst[kind], ratio)
  }
  return worst
}

export async function foldAllDeltas(db: Db, tenantId: string): Promise<void> {
  while (await inTenant(db, systemActor(tenantId), foldLeadDeltas));
}

/** Measures in turn, and prints and returns the ratio of the medians. */
export async function printRatio(name: string, measures: readonly Measure[], rounds: number): Promise<number> {
  const times: [number[], number[]] = [[], []]
  for (let round = -warmUpRounds; round < rounds; round++)
    for (const [index, measure] of measures.entries()) {
      const durationMs = await measure()
      if (round >= 0) times[index]!.push(durationMs)
    }
  const [large, small] = [median(times[0]), median(times[1])]
  console.log(
    `  ${(large / small).toFixed(2)}  ${large.toFixed(2).padStart(7)} ms  ${small.toFixed(2).padStart(7)} ms  ${name}`,
  )
  return large / small
}
