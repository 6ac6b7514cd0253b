import { setNewest } from '#platform/cache'
import type { Clock } from '#platform/clock'
import { canTake, type Draw, debtAfter, type Outcome } from './bucket.rules.ts'

/** The buckets of this process alone. Those used longest ago are forgotten first. */
export function openLocalBuckets(clock: Clock, maxBuckets = 50_000) {
  const fullAtUs = new Map<string, number>()
  const nowUs = () => clock.now().getTime() * 1_000

  function take(draws: Draw[]): Outcome {
    const debtsUs = draws.map(debtOf)
    const isTaken = draws.every((draw, i) => canTake(draw, debtsUs[i]!))
    const outcome = { isTaken, debtsUs }
    note(draws, outcome)
    return outcome
  }

  function debtOf({ key, intervalUs, capacity }: Draw): number {
    const debt = (fullAtUs.get(key) ?? 0) - nowUs()
    return Math.min(Math.max(debt, 0), capacity * intervalUs)
  }

  /** Takes over what was counted, here or elsewhere. */
  function note(draws: Draw[], { isTaken, debtsUs }: Outcome): void {
    for (const [i, draw] of draws.entries())
      setNewest(fullAtUs, draw.key, nowUs() + debtAfter(draw, debtsUs[i]!, isTaken), maxBuckets)
  }

  return { take, note }
}
