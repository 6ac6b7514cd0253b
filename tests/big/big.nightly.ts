// Short version of `npm run seed:big` and `npm run bench -- leads`: both work, and response times do not grow with the number of leads.
// `npm test` proves the same for single statements by their plans, because times of fewer leads are too similar to compare.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fillBigDatabase } from '../../bench/big/fill.ts'
import { run } from '../../bench/leads.bench.ts'

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
