import { queueOptions, scheduleLoops } from './queues.ts'

type PoolLimits = { max: number; waitMs: number }
type ProcessPools = { app: PoolLimits & { maxPerTenant?: number; maxWaiting?: number }; system: PoolLimits }
type PoolConfig = { DATABASE_POOL_SIZE: number; DATABASE_MAX_WAITING: number; DATABASE_WAIT_MS: number }

export const jobSlots =
  scheduleLoops + Object.values(queueOptions).reduce((slots, { loops, concurrency }) => slots + loops * concurrency, 0)

/**
 * Limits of the connection pools of a process. A request fails early, because its caller tries again; a job waits, because its failure
 * also fails the rest of its work. Most jobs wait for other servers, so about a third of the slots need a connection at a time.
 */
export function poolLimitsOf(kind: 'api' | 'worker', config: PoolConfig): ProcessPools {
  const { DATABASE_POOL_SIZE, DATABASE_MAX_WAITING, DATABASE_WAIT_MS: waitMs } = config
  if (kind === 'api')
    return {
      app: {
        max: DATABASE_POOL_SIZE,
        waitMs,
        maxPerTenant: Math.max(1, Math.floor((DATABASE_POOL_SIZE * 2) / 3)),
        maxWaiting: DATABASE_MAX_WAITING,
      },
      system: { max: 1, waitMs },
    }
  const max = Math.max(DATABASE_POOL_SIZE, Math.ceil(jobSlots / 3))
  return { app: { max, waitMs: 30_000 }, system: { max: Math.ceil(max / 3), waitMs: 30_000 } }
}
