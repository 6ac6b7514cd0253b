import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { profilePartPoint } from '#modules/identity'
import { startRedis } from '#testing'
import { runIsolationMatrix } from './isolation.ts'
import { belongsToTenant, findLeaks, monitorRedis } from './leaks.ts'
import { startMatrixApp } from './matrix-app.ts'
import { formatReport } from './report.ts'

const redis = await startRedis()
const monitor = await monitorRedis(redis.url)
after(async () => {
  monitor.stop()
  await redis.stop()
})
// Rate limits are on, so that their Redis keys are checked too.
const app = await startMatrixApp({ environment: { REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '100' } })
// A cached value that contains the canary.
app.services.registry.extensionsOf(profilePartPoint).push({
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

test('no caller can see or change data of another tenant', async (t) => {
  const result = await runIsolationMatrix(
    app,
    app.routes,
    process.env.MATRIX === 'full' ? {} : { unauthorizedCallers: 4 },
  )
  result.findings.push(...(await findLeaks(app, monitor.commands)))

  for (const line of formatReport('isolation', result)) t.diagnostic(line)
  assert.ok(result.canaryRoutes.length > 15, `only ${result.canaryRoutes} show the canary`)
  assert.ok(
    monitor.commands.some(
      (command) => belongsToTenant(command, app.otherTenant.workspace.id) && command.join().includes(app.canary),
    ),
    "the other tenant's data was never in Redis",
  )
  assert.ok(app.emails.length > 5, `${app.emails.length} emails`)
  assert.equal(result.findings.length, 0)
})
