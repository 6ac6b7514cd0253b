import type { Redis } from '#platform/cache'
import { type Clock, systemClock } from '#platform/clock'
import type { Config } from '#platform/config'
import { costIn, type Draw, measure, type Outcome, tell } from './bucket.rules.ts'
import type { Bucket } from './buckets.ts'
import { openLocalBuckets } from './local-buckets.ts'
import { takeInRedis } from './redis-buckets.ts'

export type Taken = {
  name: string
  allowed: boolean
  /** How many more may come right now. */
  remaining: number
  /** Until the bucket is full again; if refused, until the same request is let through. */
  resetSeconds: number
  /** As RateLimit-Policy says it; null when limits are switched off. */
  policy: string | null
}

export type Limits = {
  take(bucket: Bucket, cost?: number): Promise<Taken>
  /** From all of them or, if one has too little, from none; in one round trip. The answers are in the order asked. */
  takeAll(buckets: Bucket[], cost?: number): Promise<Taken[]>
}

type Options = {
  redis: Redis
  config: Pick<Config, 'RATE_LIMIT_FACTOR' | 'RATE_LIMIT_INSTANCES'>
  clock?: Clock
}

/** Counts in Redis, for all processes together. While it is away each process counts its own share: nothing passes uncounted. */
export function openLimits({ redis, config, clock = systemClock }: Options): Limits {
  const { RATE_LIMIT_FACTOR: factor, RATE_LIMIT_INSTANCES: instances } = config
  const local = openLocalBuckets(clock)

  async function takeAll(buckets: Bucket[], cost = 1): Promise<Taken[]> {
    if (factor === 0) return buckets.map(unlimited)
    if (buckets.length === 0) return []
    const ofAll = buckets.map((bucket) => draw(bucket, cost, factor, 1))
    const outcome = await takeInRedis(redis, ofAll)
    if (!outcome) {
      const ownShare = buckets.map((bucket) => draw(bucket, cost, factor, instances))
      return report(buckets, ownShare, local.take(ownShare))
    }
    // Whoever has emptied a bucket finds it just as empty when Redis vanishes.
    local.note(ofAll, outcome)
    return report(buckets, ofAll, outcome)
  }

  const report = (buckets: Bucket[], draws: Draw[], { isTaken, debtsUs }: Outcome): Taken[] =>
    draws.map((draw, i) => ({
      name: buckets[i]!.name,
      ...tell(draw, debtsUs[i]!, isTaken),
      policy: policyOf(buckets[i]!, factor),
    }))

  return { takeAll, take: async (bucket, cost) => (await takeAll([bucket], cost))[0]! }
}

function draw(bucket: Bucket, cost: number, factor: number, shares: number): Draw {
  const measured = measure(bucket, factor, shares)
  return { ...measured, key: `limit:${bucket.name}:${bucket.key}`, cost: costIn(measured, cost) }
}

const policyOf = ({ name, limit, windowSeconds }: Bucket, factor: number): string =>
  `"${name}";q=${Math.max(1, Math.round(limit * factor))};w=${windowSeconds}`

const unlimited = ({ name, limit }: Bucket): Taken => ({
  name,
  allowed: true,
  remaining: limit,
  resetSeconds: 0,
  policy: null,
})
