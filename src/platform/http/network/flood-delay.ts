import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const immediatePerSecond = 50
const maxDelayed = 1_000

/** Delays the responses to a network with many refused requests, so that a flood costs less CPU time. */
export function createFloodDelay() {
  let secondStart = 0
  let delayed = 0
  const counts = new Map<string, number>()

  return async (network: string): Promise<void> => {
    if (performance.now() - secondStart >= 1_000) {
      counts.clear()
      secondStart = performance.now()
    }
    const count = (counts.get(network) ?? 0) + 1
    counts.set(network, count)
    if (count <= immediatePerSecond || delayed >= maxDelayed) return
    delayed++
    await sleep(randomInt(500, 1_500))
    delayed--
  }
}
