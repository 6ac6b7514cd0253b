import { setTimeout as sleep } from 'node:timers/promises'
import type { startTestApp } from '#testing'

export type World = Awaited<ReturnType<typeof startTestApp>>

/** Two or more who want the same thing at the same moment, and what must hold afterwards, whoever was quicker. */
export type Race = {
  name: string
  /** A lane runs one race after the other in a workspace of its own. */
  openLane(world: World): Promise<() => Promise<Finish>>
}

/** How a run ended, as far as both ways are right, or what was violated. A race that always ends the same way is none. */
export type Finish = { ended: string } | { violated: string }

const lanes = 4
/** People stay signed in for 15 minutes, so a lane ends before that, and a new one goes on. */
const laneMs = 10 * 60_000

export type Outcome = { runs: number; ends: Record<string, number>; violations: string[]; busy: number }

/** How often somebody was told to try again soon. */
let busy = 0

export async function runRace(race: Race, world: World, runs: number): Promise<Outcome> {
  const violations: string[] = []
  const ends: Record<string, number> = {}
  let started = 0
  busy = 0
  const lane = async () => {
    let runOnce = await race.openLane(world)
    let openedMs = Date.now()
    while (started < runs && violations.length < 10) {
      started++
      if (Date.now() - openedMs > laneMs) {
        runOnce = await race.openLane(world)
        openedMs = Date.now()
      }
      const finish = await runOnce()
      if ('violated' in finish) violations.push(finish.violated)
      else ends[finish.ended] = (ends[finish.ended] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, runs) }, lane))
  return { runs: started, ends, violations, busy }
}

/** Starts all of them within a few milliseconds, every time in another order. */
export function atOnce<T extends unknown[]>(...starts: { [K in keyof T]: () => Promise<T[K]> }): Promise<T> {
  const delayed = starts.map(async (start) => {
    const delay = Math.random() * 6 - 2
    if (delay > 0) await sleep(delay)
    return await insist(start)
  })
  return Promise.all(delayed) as Promise<T>
}

/** A machine with much else to do answers 503. Whoever is told so tries again, and it is counted. */
async function insist<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const answer = await start()
    if ((answer as { status?: number })?.status !== 503 || attempt === 3) return answer
    busy++
  }
}
