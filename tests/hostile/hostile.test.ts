import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runPendingJobs } from '../matrix/leaks.ts'
import { startMatrixApp } from '../matrix/matrix-app.ts'
import { formatReport } from '../matrix/report.ts'
import { readChange, sampleRoutes } from '../nightly/route-sample.ts'
import { sendHostileRequests } from './hostile-run.ts'
import { sendHostileSizes } from './hostile-sizes.ts'
import type { Operation } from './operations.ts'
import { runSizeScenarios } from './size-scenarios.ts'

const app = await startMatrixApp()
const createTenant = async () => (await app.withNewTenants()).ownTenant

// A constant sample of the values, so that the build of a commit gives the same result every day; `npm run hostile` sends all.
const seed = process.env.HOSTILE_SEED ?? 'default'
const isShort = process.env.HOSTILE !== 'full'
const route = process.env.HOSTILE_ROUTE ?? ''
const [part = 1, parts = 1] = (process.env.HOSTILE_PART ?? '1/1').split('/').map(Number)
const only = process.env.HOSTILE_ONLY
const values = { skip: only === 'sizes' }
const sizes = { skip: only === 'values' }
const change = readChange(join(import.meta.dirname, '../..'))
const sampled = new Set(isShort && !route ? sampleRoutes(app.routes, app.services.registry.routes, change) : app.routes)
const isSelected = (operation: Operation) =>
  operation.path.includes(route) &&
  sampled.has(operation.route) &&
  app.routes.indexOf(operation.route) % parts === part - 1

// Before the other tests, whose jobs would run with those of this one.
test('no use of a long text stops the event loop', sizes, async () => {
  assert.deepEqual(await runSizeScenarios(app, { isShort }), [])
})

test('no hostile value at any position of any operation causes more than a documented error', values, async (t) => {
  const result = await sendHostileRequests(app, { isShort, seed, isSelected, createTenant })

  for (const line of formatReport(`hostile input, HOSTILE_SEED=${seed}`, result)) t.diagnostic(line)
  t.diagnostic(`${result.accepted} of the values were valid`)
  assert.ok(
    route || parts > 1 || result.cases > result.routes * 1.3,
    `${result.cases} cases of ${result.routes} routes`,
  )
  assert.equal(result.findings.length, 0)
})

test('the longest allowed value stops the event loop at no position of any operation', sizes, async (t) => {
  // Runs the jobs of the tests before, and compiles the code of the worker.
  if (!isShort) await runPendingJobs(app, 6_000)

  const result = await sendHostileSizes(app, { isShort, seed, isSelected, createTenant })

  for (const line of formatReport(`hostile sizes, HOSTILE_SEED=${seed}`, result)) t.diagnostic(line)
  t.diagnostic(`${result.accepted} of the values were valid, with ${result.followUps} requests that use them`)
  assert.equal(result.findings.length, 0)
})
