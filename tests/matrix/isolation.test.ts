import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startRedis } from '#testing'
import { tryIsolation } from './isolation.ts'
import { told } from './told.ts'
import { isUnder, leaksLeftBehind, overhear } from './traces.ts'
import { openWorld } from './world.ts'

const redis = await startRedis()
const overheard = await overhear(redis.url)
after(async () => {
  overheard.stop()
  await redis.stop()
})
// Limits are on, so that what they keep is looked into as well.
const world = await openWorld({ environment: { REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '100' } })
// Something for the cache to keep that tells whose it is.
world.services.registry.profileParts.push({
  name: 'leads',
  scope: 'leads.read',
  async load(tx, _viewer, userId) {
    const { name } = await tx
      .selectFrom('identity.users')
      .select('name')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    return { owned: 1, open: 1, by_status: { [name]: 1 }, by_grade: {}, untouched_7d: 0 }
  },
})

test('nobody sees or changes anything of another tenant', async (t) => {
  const verdict = await tryIsolation(world)
  verdict.findings.push(...(await leaksLeftBehind(world, overheard.orders)))

  for (const line of told('isolation', verdict)) t.diagnostic(line)
  assert.ok(verdict.seen.length > 15, `their own admin sees the canary at ${verdict.seen} only`)
  assert.ok(
    overheard.orders.some((order) => isUnder(order, world.theirs.workspace.id) && order.join().includes(world.canary)),
    'nothing of theirs ever lay in Redis',
  )
  assert.ok(world.mails.length > 5, `${world.mails.length} mails`)
  assert.equal(verdict.findings.length, 0)
})
