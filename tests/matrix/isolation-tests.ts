import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profilePartPoint } from '#modules/identity'
import { runIsolationMatrix } from './isolation.ts'
import { belongsToTenant, findLeaks, runPendingJobs } from './leaks.ts'
import { type MatrixTestOptions, matrixTimeoutMs, selectRoutes, type startMatrixApp } from './matrix-app.ts'
import { formatReport } from './report.ts'

type Options = MatrixTestOptions & { redisCommands: string[][] }

export function testIsolation(
  app: Awaited<ReturnType<typeof startMatrixApp>>,
  { redisCommands, routePart, ...options }: Options,
): void {
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

  test('no caller can see or change data of another tenant', { timeout: matrixTimeoutMs }, async (t) => {
    const result = await runIsolationMatrix(app, selectRoutes(app, routePart), options)
    await runPendingJobs(app)
    result.findings.push(...(await findLeaks(app, redisCommands)))

    for (const line of formatReport('isolation', result)) t.diagnostic(line)
    assert.deepEqual(result.findings, [])
    if (routePart) return
    assert.ok(result.canaryRoutes.length > 15, `only ${result.canaryRoutes} show the canary`)
    assert.ok(
      redisCommands.some(
        (command) => belongsToTenant(command, app.otherTenant.workspace.id) && command.join().includes(app.canary),
      ),
      "the other tenant's data was never in Redis",
    )
    assert.ok(app.emails.length > 5, `${app.emails.length} emails`)
  })
}
