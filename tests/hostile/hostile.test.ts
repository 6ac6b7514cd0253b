import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMatrixApp } from '../matrix/matrix-app.ts'
import { formatReport } from '../matrix/report.ts'
import { sendHostileRequests } from './hostile-run.ts'

const app = await startMatrixApp()
const createTenant = async () => (await app.withNewTenants()).ownTenant

test('no hostile value at any position of any operation causes more than a documented error', async (t) => {
  // A constant sample, so that the build gives the same result every day; `npm run hostile` sends all values.
  const seed = process.env.HOSTILE_SEED ?? 'default'
  const isShort = process.env.HOSTILE !== 'full'
  const route = process.env.HOSTILE_ROUTE ?? ''
  const result = await sendHostileRequests(app, { isShort, seed, route, createTenant })

  for (const line of formatReport(`hostile input, HOSTILE_SEED=${seed}`, result)) t.diagnostic(line)
  t.diagnostic(`${result.accepted} of the values were valid`)
  assert.ok(result.cases > 600, `${result.cases} cases`)
  assert.equal(result.findings.length, 0)
})
