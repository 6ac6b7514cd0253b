import type { Server } from 'node:http'
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
