import { lookup, Resolver } from 'node:dns/promises'

export type HostResolver = (hostname: string) => Promise<string[]>

/** Queries DNS directly: internal names in /etc/hosts are not resolved, and slow lookups do not block the libuv thread pool. */
export function publicDns(servers?: string[]): HostResolver {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (hostname) => {
    const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  }
}

export const systemDns: HostResolver = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)
