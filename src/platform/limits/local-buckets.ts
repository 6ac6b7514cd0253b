import { setWithEviction } from '#platform/cache'
import type { Clock } from '#platform/clock'
import { type BucketDraw, canTake, type DrawOutcome, debtAfter } from './bucket.rules.ts'

export function createLocalBuckets(clock: Clock, maxBuckets = 50_000) {
  const fullAtUs = new Map<string, number>()
  const nowUs = () => clock.now().getTime() * 1_000

  function take(draws: BucketDraw[]): DrawOutcome {
    const debtsUs = readDebts(draws)
    const isTaken = draws.every((draw, i) => canTake(draw, debtsUs[i]!))
    const outcome = { isTaken, debtsUs }
    recordDraws(draws, outcome)
    return outcome
  }

  const readDebts = (draws: BucketDraw[]): number[] => draws.map(debtOf)

  function debtOf({ key, intervalUs, capacity }: BucketDraw): number {
    const debt = (fullAtUs.get(key) ?? 0) - nowUs()
    return Math.min(Math.max(debt, 0), capacity * intervalUs)
  }

  function recordDraws(draws: BucketDraw[], { isTaken, debtsUs }: DrawOutcome): void {
    for (const [i, draw] of draws.entries())
      setWithEviction(fullAtUs, draw.key, nowUs() + debtAfter(draw, debtsUs[i]!, isTaken), maxBuckets)
  }

  return { take, readDebts, recordDraws }
}
