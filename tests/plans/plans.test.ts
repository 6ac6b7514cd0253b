// Every read uses a plan that suits the workspace, whichever workspace used the connection before. `npm run plans` uses full size.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { recordRoutes } from '../matrix/routes.ts'
import { readChange, sampleRoutes } from '../nightly/route-sample.ts'
import { type CapturedStatement, captureStatements } from './captured-statements.ts'
import { type Comparison, comparePlans, isTooSlow, type TenantStatements } from './compare-plans.ts'
import { fillPlanDatabase, type PlanTenant } from './plan-database.ts'
import { isReadRoute, listReadUrls } from './read-calls.ts'
import { isRead, listScheduleScans } from './schedule-plans.ts'
import { sizes } from './size.ts'

const isFull = process.env.PLANS === 'full'
const valuesPerStatement = isFull ? 3 : 1
const { routes } = recordRoutes()
const withLongStatements = (url: string) => `${url}?options=${encodeURIComponent('-c statement_timeout=60s')}`
const errors: string[] = []
const app = await startTestApp(
  { SAFE_FETCH_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'error' },
  { isOwn: true, toDatabaseUrl: withLongStatements, onLine: (line) => void errors.push(line) },
)
const change = readChange(join(import.meta.dirname, '../..'))
const reads = (isFull ? routes : sampleRoutes(routes, app.services.registry.routes, change)).filter(isReadRoute)
const tenants = await fillPlanDatabase(app, reads, isFull ? sizes.full : sizes.short)
const failures: string[] = []
const statements: TenantStatements[] = []
for (const tenant of tenants) {
  const captured = await captureStatements(app.services.db.pool, () => callReads(tenant))
  statements.push({ tenant: tenant.name, tenantId: tenant.workspace.id, statements: groupByText(captured) })
}

async function callReads(tenant: PlanTenant): Promise<void> {
  const { signIn, ...workspace } = tenant.workspace
  const [admin, member] = [await signIn(workspace.admin.userId), await signIn(workspace.member.userId)]
  for (const route of reads)
    for (const [index, url] of (await listReadUrls(route, tenant, isFull ? 12 : 2)).entries())
      for (const client of isFull || index === 0 ? [admin, member] : [admin]) {
        const { status, body } = await client.get(url).catch(ignoreContradictions)
        if (status >= 500) failures.push(`${tenant.name}: GET ${url} responded ${status}: ${errors.at(-1)}`)
        if (status === 200 && body?.next_cursor)
          await client.get(`${url}${url.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(body.next_cursor)}`)
      }
}

/** Numbers that were copied apart from their rows may break the schema of a response. */
function ignoreContradictions(error: unknown): { status: number; body?: { next_cursor?: string } } {
  if (error instanceof assert.AssertionError) return { status: 200 }
  throw error
}

function groupByText(captured: readonly CapturedStatement[]): Map<string, CapturedStatement[]> {
  const byText = Map.groupBy(captured.filter(isRead), ({ text }) => text)
  return new Map([...byText].map(([text, all]) => [text, all.slice(0, valuesPerStatement)]))
}

const comparisons = await comparePlans(app.database, statements, { plansForValues: isFull })
const describe = ({ text, tenant, first, buffers, best, scans, bestScans }: Comparison) =>
  `${buffers} instead of ${best} buffers for the ${tenant} workspace after the ${first} one, with ${scans} instead of ${bestScans}: ${text.replaceAll(/\s+/g, ' ').slice(-400)}`

test('every read responds in every workspace', () => {
  assert.deepEqual(failures, [])
})

test('the plan of a read suits every workspace, whichever was first', (t) => {
  const ratioOf = ({ buffers, best }: Comparison) => buffers / (3 * best + 200)
  t.diagnostic(`${reads.length} routes, ${comparisons.length} comparisons`)
  for (const comparison of comparisons.toSorted((a, b) => ratioOf(b) - ratioOf(a)).slice(0, 10))
    t.diagnostic(describe(comparison))
  assert.deepEqual(comparisons.filter(isTooSlow).map(describe), [])
})

test('no read scans the rows of all workspaces', () => {
  const scanned = comparisons.filter(({ scannedTables }) => scannedTables.length > 0)
  assert.deepEqual(
    [...new Set(scanned.map(({ scannedTables, text }) => `${scannedTables}: ${text.slice(0, 200)}`))],
    [],
  )
})

test('every schedule finds its workspaces by an index', async () => {
  assert.deepEqual(await listScheduleScans(app.services, app.systemDb, app.database.systemUrl), [])
})
