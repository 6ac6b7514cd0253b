import type { Cache } from '#platform/cache'
import { newId } from '#platform/ids'

const [epochName, epochSeconds, numberSeconds] = ['plg:epoch', 120, 30]

/** Caches numbers for 30 seconds, until the next batch of events. */
export async function readCachedNumbers<T>(
  cache: Cache,
  tenantId: string,
  name: string,
  load: () => Promise<T>,
): Promise<T> {
  const epoch = (await cache.get<string>(tenantId, epochName)) ?? 'none'
  return await cache.getOrLoad(tenantId, `plg:${epoch}:${name}`, numberSeconds, load)
}

/** Runs after the commit. The epoch is part of all names, and stays longer than the numbers that were cached with another one. */
export const dropCachedNumbers = (cache: Cache, tenantId: string): Promise<void> =>
  cache.set(tenantId, epochName, newId(), epochSeconds)
