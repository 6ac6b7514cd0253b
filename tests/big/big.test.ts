// The short version of `npm run seed:big` and `npm run bench -- leads`: that both still work, and that nothing has grown out of proportion.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fillBig } from '../../bench/big/fill.ts'
import { run } from '../../bench/leads.bench.ts'

/** Far more than a list may cost for ten times the leads, far less than reading all of them would. */
const outOfProportion = 4

test('ten times the leads do not make lists, reads and changes take much longer', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tributary-big-'))
  try {
    await fillBig({ leads: 20_000, compared: 2_000, others: 3, each: 100 }, { home, tell: () => {} })

    const ratio = await run({ rounds: 7, lists: 1, home })

    assert.ok(ratio < outOfProportion, `one of them takes ${ratio.toFixed(1)} times as long`)
  } finally {
    await rm(home, { recursive: true })
  }
})
