import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const immediatePerSecond = 50
const maxDelayed = 1_000

/** A test replaces both, because the result must not depend on how busy the machine is. */
type Timing = { now(): number; wait(ms: number): Promise<unknown> }

/** Delays the responses to a network with many refused requests, so that a flood costs less CPU time. */
export function createFloodDelay({ now, wait }: Timing = { now: () => performance.now(), wait: sleep }) {
  let secondStart = Number.NEGATIVE_INFINITY
  let delayed = 0
  const counts = new Map<string, number>()

  return async (network: string): Promise<void> => {
    if (now() - secondStart >= 1_000) {
      counts.clear()
      secondStart = now()
    }
    const count = (counts.get(network) ?? 0) + 1
    counts.set(network, count)
    if (count <= immediatePerSecond || delayed >= maxDelayed) return
    delayed++
    await wait(randomInt(500, 1_500))
    delayed--
  }
}
