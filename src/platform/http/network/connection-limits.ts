import { randomInt } from 'node:crypto'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { networkOf, networkPrefixOf } from '#platform/limits'
import type { ClientAddresses } from '../read-request.ts'

/** Closes connections above the limits, so that one network cannot use up `maxConnections`. Trusted proxies have no limit. */
export function limitConnections(
  server: Server,
  { isProxied }: Pick<ClientAddresses, 'isProxied'>,
  { perNetwork = 500, perPrefix = 1_000 } = {},
): void {
  const open = new Map<string, number>()

  server.on('connection', (socket) => {
    const ip = socket.remoteAddress
    if (!ip || isProxied({ socket })) return
    const limits = [
      { key: networkOf(ip), max: perNetwork },
      { key: networkPrefixOf(ip), max: perPrefix },
    ]
    if (limits.some(({ key, max }) => (open.get(key) ?? 0) >= max)) {
      socket.destroy()
      return
    }
    for (const { key } of limits) open.set(key, (open.get(key) ?? 0) + 1)
    socket.once('close', () => {
      for (const { key } of limits) decrement(open, key)
    })
  })
}

function decrement(counts: Map<string, number>, key: string): void {
  const count = counts.get(key)! - 1
  if (count) counts.set(key, count)
  else counts.delete(key)
}

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
