// Short version of `npm run seed:big` and `npm run bench -- leads`: both work, and response times do not grow with the number of leads.
// `npm test` proves the same for single statements by their plans, because times of fewer leads are too similar to compare.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { fillBigDatabase } from '../../bench/big/fill.ts'
import { run } from '../../bench/leads.bench.ts'
import { loadSampleData } from '../../src/modules/operations/sample-data/sample-data.flow.ts'

const { tenant, services, clock } = await startTestApp()

/** Far above the ratio of an index scan, far below the ratio of a full scan (10). */
const maxRatio = 4

test('lists, reads and updates do not take much longer with ten times the leads', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tributary-big-'))
  try {
    await fillBigDatabase({ leads: 20_000, compared: 2_000, others: 3, each: 100 }, { home, report: () => {} })

    const ratio = await run({ rounds: 5, lists: 1, imported: 4_000, home })

    assert.ok(ratio < maxRatio, `the slowest takes ${ratio.toFixed(1)} times as long`)
  } finally {
    await rm(home, { recursive: true })
  }
})

test('sample data of full size shows content that goes with won deals, and missing content', async () => {
  clock.freeze()
  const { id, admin } = await tenant()
  await loadSampleData(services, { tenantId: id, userId: admin.userId, now: clock.now() })

  const { body } = await admin.get('/api/enablement/insights')

  assert.ok(body.content_wins[0]?.lift > 0, JSON.stringify(body.content_wins))
  assert.ok(body.coverage_gaps.length >= 1 && body.search_gaps.length === 3)
  assert.ok(body.adoption.adoption_rate > 0.5, JSON.stringify(body.adoption))
})
