import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { type Redis, setWithEviction } from '#platform/cache'
import { type Clock, systemClock } from '#platform/clock'
import type { Config } from '#platform/config'
import type { Bucket, RateLimit } from './buckets.ts'

/**
 * GCRA (token bucket): the stored state of a bucket is its debt, the time until it is full again. Each request adds
 * `intervalUs`; the debt never exceeds `capacity` intervals.
 */
type BucketSize = { intervalUs: number; capacity: number }

type BucketDraw = BucketSize & { key: string; cost: number }

/** `debtsUs` are the debts before the draw; tokens are taken only if every bucket has enough. */
type DrawOutcome = { isTaken: boolean; debtsUs: number[] }

function scaleBucket({ limit, windowSeconds, burst }: RateLimit, factor: number, shares: number): BucketSize {
  const perWindow = (limit * factor) / shares
  const burstSize = ((burst ?? limit) * factor) / shares
  return {
    intervalUs: Math.max(1, Math.round((windowSeconds * 1_000_000) / perWindow)),
    capacity: Math.max(1, Math.floor(burstSize)),
  }
}

/** A cost above the capacity would never pass, so it is capped: a full bucket lets it through. */
const cappedCost = ({ capacity }: BucketSize, cost: number): number => Math.min(cost, capacity)

const canTake = ({ intervalUs, capacity, cost }: BucketDraw, debtUs: number): boolean =>
  debtUs + cost * intervalUs <= capacity * intervalUs

const debtAfter = ({ intervalUs, cost }: BucketDraw, debtUs: number, isTaken: boolean): number =>
  isTaken ? Math.max(0, debtUs + cost * intervalUs) : debtUs

function bucketStatus(draw: BucketDraw, debtUs: number, isTaken: boolean) {
  const full = draw.capacity * draw.intervalUs
  const debt = debtAfter(draw, debtUs, isTaken)
  const allowed = canTake(draw, debtUs)
  const waitUs = allowed ? debt : debtUs + draw.cost * draw.intervalUs - full
  return {
    allowed,
    remaining: Math.floor((full - debt) / draw.intervalUs),
    resetSeconds: Math.ceil(waitUs / 1_000_000),
  }
}

function createLocalBuckets(clock: Clock, maxBuckets = 50_000) {
  const fullAtUs = new Map<string, number>()
  const nowUs = () => clock.now().getTime() * 1_000

  function take(draws: BucketDraw[]): DrawOutcome {
    const debtsUs = readDebts(draws)
    const isTaken = draws.every((draw, i) => canTake(draw, debtsUs[i]!))
    const outcome = { isTaken, debtsUs }
    recordDraws(draws, outcome)
    return outcome
  }

  const readDebts = (draws: BucketDraw[]): number[] => draws.map(debtOf)

  function debtOf({ key, intervalUs, capacity }: BucketDraw): number {
    const debt = (fullAtUs.get(key) ?? 0) - nowUs()
    return Math.min(Math.max(debt, 0), capacity * intervalUs)
  }

  function recordDraws(draws: BucketDraw[], { isTaken, debtsUs }: DrawOutcome): void {
    for (const [i, draw] of draws.entries())
      setWithEviction(fullAtUs, draw.key, nowUs() + debtAfter(draw, debtsUs[i]!, isTaken), maxBuckets)
  }

  return { take, readDebts, recordDraws }
}

/** Takes from all buckets or none; uses the Redis clock, so that all processes agree. */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local debts, prices, taken = {}, {}, 1
for i, key in ipairs(KEYS) do
  local interval, capacity, cost = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local full = interval * capacity
  debts[i] = math.min(math.max((tonumber(redis.call('GET', key)) or 0) - now, 0), full)
  prices[i] = interval * cost
  if debts[i] + prices[i] > full then taken = 0 end
end
for i, key in ipairs(KEYS) do
  local debt = debts[i] + prices[i]
  if taken == 1 and prices[i] ~= 0 then
    if debt <= 0 then redis.call('DEL', key)
    else redis.call('SET', key, string.format('%.0f', now + debt), 'PX', string.format('%.0f', math.ceil(debt / 1000))) end
  end
end
return { taken, unpack(debts) }
`
const sha = createHash('sha1').update(script).digest('hex')

async function takeFromRedis(redis: Redis, draws: BucketDraw[]): Promise<DrawOutcome | undefined> {
  const keys = draws.map(({ key }) => key)
  const values = draws.flatMap(({ intervalUs, capacity, cost }) => [intervalUs, capacity, cost])
  const reply = await redis.run(async (client) => {
    try {
      return await client.evalsha(sha, keys.length, ...keys, ...values)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return client.eval(script, keys.length, ...keys, ...values)
    }
  })
  if (!Array.isArray(reply)) return undefined
  const [isTaken, ...debtsUs] = reply.map(Number)
  return { isTaken: isTaken === 1, debtsUs }
}

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

/** Rate-limit key of an IP address: IPv4 as is, IPv6 as its /64 network, because one customer owns all of it. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const prefix = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}

/** Wider network of an IP address: the /24 of IPv4, the /48 of IPv6, which one site usually owns. */
export function networkPrefixOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`)}/48`
    : `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`)}/24`
}
