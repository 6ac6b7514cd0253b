import { createHash } from 'node:crypto'
import type { Redis } from '#platform/cache'
import type { BucketDraw, DrawOutcome } from './bucket.rules.ts'

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

export async function takeFromRedis(redis: Redis, draws: BucketDraw[]): Promise<DrawOutcome | undefined> {
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
