import { setTimeout as sleep } from 'node:timers/promises'
import { retryWhenBusy, type startTestApp } from '#testing'

export type TestApp = Awaited<ReturnType<typeof startTestApp>>
export type TestWorkspace = Awaited<ReturnType<TestApp['tenant']>>

/** Concurrent operations on the same records, and what must hold afterwards. */
export type Race = {
  name: string
  /** A run takes about this many times as long as a run of most races, so the race runs less often. */
  weight?: number
  /** Runs at least this often, also in the build. */
  minRuns?: number
  /** Creates a workspace and returns a function that runs the race once in it. */
  prepare(app: TestApp): Promise<() => Promise<RaceResult>>
}

/** Outcome of one run: which side won, or the violation found. A race that always has the same winner proves nothing. */
export type RaceResult = { outcome: string } | { violation: string }

const maxRunners = 4
/** Fewer runs would not be worth the workspace of a runner. */
const runsPerRunner = 3
/** Access tokens expire after 15 minutes, so a runner is replaced before that. */
const maxRunnerMs = 10 * 60_000

const countRunners = (runs: number) => Math.min(maxRunners, Math.ceil(runs / runsPerRunner))

/** Every race runs at least once. */
export const countRuns = ({ weight = 1, minRuns = 1 }: Race, runs: number): number =>
  Math.max(minRuns, Math.ceil(runs / weight))

export type RaceSummary = { runs: number; outcomes: Record<string, number>; violations: string[]; retries: number }

let retries = 0

export async function runRace(race: Race, app: TestApp, runs: number): Promise<RaceSummary> {
  const violations: string[] = []
  const outcomes: Record<string, number> = {}
  let started = 0
  retries = 0
  const runLoop = async () => {
    let runOnce = await race.prepare(app)
    let preparedAtMs = Date.now()
    while (started < runs && violations.length < 10) {
      started++
      if (Date.now() - preparedAtMs > maxRunnerMs) {
        runOnce = await race.prepare(app)
        preparedAtMs = Date.now()
      }
      const result = await runOnce()
      if ('violation' in result) violations.push(result.violation)
      else outcomes[result.outcome] = (outcomes[result.outcome] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: countRunners(runs) }, runLoop))
  return { runs: started, outcomes, violations, retries }
}

/** Starts all calls within a few milliseconds, in random order. */
export function runConcurrently<T extends unknown[]>(...calls: { [K in keyof T]: () => Promise<T[K]> }): Promise<T> {
  const delayed = calls.map(async (call) => {
    const delay = Math.random() * 6 - 2
    if (delay > 0) await sleep(delay)
    return await retryWhenBusy(call, () => retries++)
  })
  return Promise.all(delayed) as Promise<T>
}
