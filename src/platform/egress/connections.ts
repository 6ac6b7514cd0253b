import { isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher, Pool } from 'undici'

/** Connections are reused without a DNS query for this long; a rebound host is noticed afterwards. */
const recheckMs = 10_000
/** A new connection requires addresses that were checked within this time. */
const maxConnectAgeMs = 1_000
const maxPools = 100
const connectionsPerPool = 10
const idleMs = 4_000
export const staleAddresses = 'STALE_ADDRESSES'

type Target = { origin: string; addresses: readonly string[]; connectTimeoutMs: number }
type KeptPool = { origin: string; pool: Pool; checkedAt: number }

const pinningOptions = { allowH2: false, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 }

/** Creates an agent for one request that connects only to the checked addresses, which prevents DNS rebinding. */
export const createPinnedAgent = ({ addresses, connectTimeoutMs }: Omit<Target, 'origin'>): Agent =>
  new Agent({
    ...pinningOptions,
    connect: { lookup: pinnedLookup(addresses), timeout: connectTimeoutMs },
    connections: 1,
  })

function pinnedLookup(addresses: readonly string[], isStale = () => false): LookupFunction {
  const checked = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, { all }, done) => {
    if (isStale()) done(Object.assign(new Error('The addresses must be checked again.'), { code: staleAddresses }), '')
    else if (all) done(null, checked)
    else done(null, checked[0]?.address ?? '', checked[0]?.family)
  }
}

/** Keeps connections open for callers that send many requests to the same host: one pool per origin and set of addresses. */
export function createKeptConnections(now: () => number) {
  const pools = new Map<string, KeptPool>()

  /** Returns a pool with an open connection that is not in use, if its addresses were checked recently. */
  function find(origin: string): Dispatcher | undefined {
    for (const [key, kept] of pools)
      if (kept.origin === origin && now() - kept.checkedAt < recheckMs && kept.pool.stats.free > 0)
        return markUsed(key, kept)
    return undefined
  }

  /** Returns the pool of addresses that have just been checked; undefined if all its connections are in use. */
  function open(target: Target): Dispatcher | undefined {
    const key = [target.origin, target.connectTimeoutMs, ...target.addresses.toSorted()].join(' ')
    const kept = pools.get(key) ?? createPool(target)
    kept.checkedAt = now()
    const pool = markUsed(key, kept)
    for (const oldest of [...pools.keys()].slice(0, -maxPools)) remove(oldest)
    return kept.pool.stats.size < connectionsPerPool ? pool : undefined
  }

  /** Moves the pool to the end, so that the least recently used ones are first. */
  function markUsed(key: string, kept: KeptPool): Dispatcher {
    pools.delete(key)
    pools.set(key, kept)
    return kept.pool
  }

  function createPool({ origin, addresses, connectTimeoutMs }: Target): KeptPool {
    const isStale = () => now() - kept.checkedAt > maxConnectAgeMs
    const pool = new Pool(origin, {
      ...pinningOptions,
      connect: { lookup: pinnedLookup(addresses, isStale), timeout: connectTimeoutMs },
      connections: connectionsPerPool,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
    })
    const kept: KeptPool = { origin, pool, checkedAt: now() }
    return kept
  }

  /** Lets requests in progress finish. */
  function remove(key: string): void {
    pools
      .get(key)
      ?.pool.close()
      .catch(() => {})
    pools.delete(key)
  }

  return {
    find,
    open,
    count: () => pools.size,
    async close(): Promise<void> {
      const open = [...pools.values()]
      pools.clear()
      await Promise.all(open.map((kept) => kept.pool.destroy()))
    },
  }
}
