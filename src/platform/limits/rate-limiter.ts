import type { Redis } from '#platform/cache'
import { type Clock, systemClock } from '#platform/clock'
import type { Config } from '#platform/config'
import { type BucketDraw, bucketStatus, cappedCost, type DrawOutcome, scaleBucket } from './bucket.rules.ts'
import type { Bucket } from './buckets.ts'
import { createLocalBuckets } from './local-buckets.ts'
import { takeFromRedis } from './redis-buckets.ts'

export type RateLimitResult = {
  name: string
  allowed: boolean
  remaining: number
  /** Time until the bucket is full again or, if rejected, until the same request passes. */
  resetSeconds: number
  policy: string | null
}

export type RateLimiter = {
  take(bucket: Bucket, cost?: number): Promise<RateLimitResult>
  /** Takes from all buckets or, if one has too little, from none, in one round trip. Results are in the same order. */
  takeAll(buckets: Bucket[], cost?: number): Promise<RateLimitResult[]>
  /** Takes nothing and uses the state that this process last knew, so it costs no round trip. */
  check(buckets: Bucket[]): RateLimitResult[]
  refund(buckets: Bucket[]): Promise<void>
}

type RateLimiterOptions = {
  redis: Redis
  config: Pick<Config, 'RATE_LIMIT_FACTOR' | 'RATE_LIMIT_INSTANCES'>
  clock?: Clock
}

/** Counts in Redis for all processes. While Redis is unavailable each process enforces its own share of the limits. */
export function createRateLimiter({ redis, config, clock = systemClock }: RateLimiterOptions): RateLimiter {
  const { RATE_LIMIT_FACTOR: factor, RATE_LIMIT_INSTANCES: instances } = config
  const local = createLocalBuckets(clock)

  const singleDraws = new WeakMap<Bucket, BucketDraw>()
  const policies = new WeakMap<Bucket, string>()
  const singleDrawOf = (bucket: Bucket) => memoize(singleDraws, bucket, () => toDraw(bucket, 1, factor, 1))

  async function takeAll(buckets: Bucket[], cost = 1): Promise<RateLimitResult[]> {
    if (factor === 0) return buckets.map(unlimited)
    if (buckets.length === 0) return []
    const draws = cost === 1 ? buckets.map(singleDrawOf) : buckets.map((bucket) => toDraw(bucket, cost, factor, 1))
    const outcome = await takeFromRedis(redis, draws)
    if (!outcome) {
      const ownShare = buckets.map((bucket) => toDraw(bucket, cost, factor, instances))
      return toResults(buckets, ownShare, local.take(ownShare))
    }
    // Keep the local copy in step, so that an empty bucket stays empty if Redis fails.
    local.recordDraws(draws, outcome)
    return toResults(buckets, draws, outcome)
  }

  function check(buckets: Bucket[]): RateLimitResult[] {
    if (factor === 0) return buckets.map(unlimited)
    const draws = buckets.map(singleDrawOf)
    return toResults(buckets, draws, { isTaken: false, debtsUs: local.readDebts(draws) })
  }

  async function refund(buckets: Bucket[]): Promise<void> {
    await takeAll(buckets, -1)
  }

  const toResults = (buckets: Bucket[], draws: BucketDraw[], { isTaken, debtsUs }: DrawOutcome): RateLimitResult[] =>
    draws.map((draw, i) => ({
      name: buckets[i]!.name,
      ...bucketStatus(draw, debtsUs[i]!, isTaken),
      policy: memoize(policies, buckets[i]!, () => policyOf(buckets[i]!, factor)),
    }))

  return { takeAll, check, refund, take: async (bucket, cost) => (await takeAll([bucket], cost))[0]! }
}

function memoize<Value>(values: WeakMap<Bucket, Value>, bucket: Bucket, create: () => Value): Value {
  const known = values.get(bucket)
  if (known !== undefined) return known
  const value = create()
  values.set(bucket, value)
  return value
}

function toDraw(bucket: Bucket, cost: number, factor: number, shares: number): BucketDraw {
  const size = scaleBucket(bucket, factor, shares)
  return { ...size, key: `limit:${bucket.name}:${bucket.key}`, cost: cappedCost(size, cost) }
}

/** The bucket as a client can use it: `q` requests at once, available again after `w` seconds. */
function policyOf(bucket: Bucket, factor: number): string {
  const { intervalUs, capacity } = scaleBucket(bucket, factor, 1)
  return `"${bucket.name}";q=${capacity};w=${Math.max(1, Math.round((capacity * intervalUs) / 1_000_000))}`
}

const unlimited = ({ name, limit }: Bucket): RateLimitResult => ({
  name,
  allowed: true,
  remaining: limit,
  resetSeconds: 0,
  policy: null,
})

export function rateLimitHeaders(results: RateLimitResult[]): Record<string, string> {
  const active = results.filter(({ policy }) => policy !== null)
  if (active.length === 0) return {}
  const waits = active.filter(({ allowed }) => !allowed).map(({ resetSeconds }) => Math.max(1, resetSeconds))
  return {
    'ratelimit-policy': active.map(({ policy }) => policy).join(', '),
    ratelimit: active
      .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
    ...(waits.length > 0 && { 'retry-after': String(Math.max(...waits)) }),
  }
}
